"""modelDescription.xml of FMI 2.0 and 3.0, and what FMI 3.0 has to know to compile the sources."""

from xml.etree import ElementTree as xml

from mekane.exporters.fmu.variables import CHANNEL, GUARD, RATE
from mekane.model.values.units import read_unit

TOLERANCE = 1e-9
BASE = ("m", "kg", "s", "rad")


def description(version, name, identifier, token, model, variables, t_end, stamp):
    """The text of modelDescription.xml. stamp: what made it, and when."""
    root = xml.Element("fmiModelDescription", attributes(version, name, token, variables, stamp))
    for kind in ("ModelExchange", "CoSimulation"):
        interface = xml.SubElement(root, kind, {"modelIdentifier": identifier} | abilities(version, kind))
        if version == 2:
            xml.SubElement(xml.SubElement(interface, "SourceFiles"), "File", name="all.c")
    unit_definitions(root, variables)
    xml.SubElement(root, "DefaultExperiment", startTime="0", stopTime=number(t_end), tolerance=number(TOLERANCE))
    listed = xml.SubElement(root, "ModelVariables")
    for reference, one in enumerate(variables):
        if version == 3 or one.kind != GUARD:
            (scalar_variable if version == 2 else float_variable)(listed, reference, one)
    (structure_2 if version == 2 else structure_3)(root, variables)
    xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n"


def attributes(version, name, token, variables, stamp):
    found = {"fmiVersion": "2.0" if version == 2 else "3.0", "modelName": name}
    found |= {"guid" if version == 2 else "instantiationToken": token}
    found |= {"generationTool": stamp[0], "generationDateAndTime": stamp[1], "variableNamingConvention": "flat"}
    guards = sum(one.kind == GUARD for one in variables)
    return found | ({"numberOfEventIndicators": str(guards)} if version == 2 else {})


def abilities(version, kind):
    state = "State" if version == 3 else "state"
    found = {f"canGetAndSetFMU{state}": "true", f"canSerializeFMU{state}": "true"}
    found |= {"providesDirectionalDerivatives" if version == 3 else "providesDirectionalDerivative": "true"}
    if kind == "CoSimulation":
        found |= {"canHandleVariableCommunicationStepSize": "true"}
    elif version == 3:
        found |= {"needsCompletedIntegratorStep": "true"}
    return found


def number(x):
    return repr(float(x))


# ---------------------------------------------------------------- units


def unit_definitions(root, variables):
    units = [unit for unit in dict.fromkeys(one.unit for one in variables) if powers(unit) is not None]
    definitions = xml.SubElement(root, "UnitDefinitions")
    for unit in units:
        base = {name: str(power) for name, power in zip(BASE, powers(unit), strict=True) if power}
        xml.SubElement(xml.SubElement(definitions, "Unit", name=unit), "BaseUnit", base)


def powers(unit):
    """Of m, kg, s and rad in an SI unit; None for what is none."""
    if unit == "1":
        return (0, 0, 0, 0)
    try:
        factor, found = read_unit(unit)
    except ValueError:
        return None
    return tuple(map(int, found)) if factor == 1 and unit else None


# ---------------------------------------------------------------- variables


def common(reference, one):
    found = {"name": one.name, "valueReference": str(reference), "causality": one.causality}
    found |= {"variability": one.variability} | ({"description": one.text} if one.text else {})
    return found | ({"initial": one.initial} if one.initial else {})


def of_value(one):
    found = {"unit": one.unit} if powers(one.unit) is not None else {}
    return found | ({"start": number(one.start)} if one.start is not None else {})


def scalar_variable(listed, reference, one):
    """FMI 2.0 counts from one, by the place in the list."""
    made = xml.SubElement(listed, "ScalarVariable", common(reference, one))
    xml.SubElement(made, "Real", of_value(one) | ({"derivative": str(one.state + 1)} if one.state is not None else {}))


def float_variable(listed, reference, one):
    xml.SubElement(
        listed,
        "Float64",
        common(reference, one) | of_value(one) | ({"derivative": str(one.state)} if one.state is not None else {}),
    )


# ---------------------------------------------------------------- the structure


def chosen(variables):
    """Value references of outputs, rates, and of what is computed when a motion starts."""
    outputs = [k for k, one in enumerate(variables) if one.causality == "output"]
    rates = [k for k, one in enumerate(variables) if one.kind == RATE]
    initial = [k for k, one in enumerate(variables) if one.kind in (RATE, CHANNEL) or one.initial == "approx"]
    return outputs, rates, initial


def structure_2(root, variables):
    structure = xml.SubElement(root, "ModelStructure")
    outputs, rates, initial = chosen(variables)
    for name, references in (("Outputs", outputs), ("Derivatives", rates)):
        group = xml.SubElement(structure, name) if references else None
        for k in references:
            dependencies = " ".join(str(1 + x) for x in variables[k].dependencies or ())
            xml.SubElement(group, "Unknown", index=str(k + 1), dependencies=dependencies)
    group = xml.SubElement(structure, "InitialUnknowns") if initial else None
    for k in initial:
        xml.SubElement(group, "Unknown", index=str(k + 1))


def structure_3(root, variables):
    structure = xml.SubElement(root, "ModelStructure")
    outputs, rates, initial = chosen(variables)
    for name, references in (("Output", outputs), ("ContinuousStateDerivative", rates)):
        for k in references:
            dependencies = " ".join(map(str, variables[k].dependencies or ()))
            xml.SubElement(structure, name, valueReference=str(k), dependencies=dependencies)
    for k in initial:
        xml.SubElement(structure, "InitialUnknown", valueReference=str(k))
    for k, one in enumerate(variables):
        if one.kind == GUARD:
            xml.SubElement(structure, "EventIndicator", valueReference=str(k))


def build_description(identifier):
    """sources/buildDescription.xml of FMI 3.0."""
    root = xml.Element("fmiBuildDescription", fmiVersion="3.0")
    build = xml.SubElement(root, "BuildConfiguration", modelIdentifier=identifier)
    files = xml.SubElement(build, "SourceFileSet", language="C99")
    xml.SubElement(files, "SourceFile", name="all.c")
    xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n"
