"""Actuators as motors, each with an input: F = gain × control + bias, on a joint, a tendon or a site."""

from __future__ import annotations

from mekane.importers.mjcf.muscles import Muscle, activation_rate, within
from mekane.importers.mjcf.reading import Reading, clamped
from mekane.importers.mjcf.servos import SERVOS
from mekane.importers.mjcf.start import rotation_of
from mekane.importers.mjcf.tendons import WRAPS, joints_of, length_of, pull, push, segments_of
from mekane.importers.urdf.names import named

GAINS, BIASES = ("FIXED", "AFFINE", "MUSCLE"), ("NONE", "AFFINE", "MUSCLE")
DYNAMICS = ("NONE", "INTEGRATOR", "FILTER", "FILTEREXACT", "MUSCLE")
DELAY = "inputs act at once"


def add_actuators(reading: Reading) -> None:
    for i in range(len(reading.model.actuator_gaintype) if not reading.off("ACTUATION") else 0):
        why = Actuator(reading, i).add()
        if why:
            reading.report.add("<actuator>", reading.given("ACTUATOR", i), why)
    if reading.model.nu and reading.off("ACTUATION"):
        reading.report.remark("the actuators are disabled in the file, and left out.")


class Actuator:
    """One actuator of the model, by its number."""

    def __init__(self, reading: Reading, i: int):
        self.reading, self.i, model = reading, i, reading.model
        self.model = model
        name = lambda kinds, value: getattr(reading.mujoco, kinds)(value).name.partition("_")[2]
        self.gain, self.bias = name("mjtGain", model.actuator_gaintype[i]), name("mjtBias", model.actuator_biastype[i])
        self.dynamics, self.on = name("mjtDyn", model.actuator_dyntype[i]), name("mjtTrn", model.actuator_trntype[i])
        self.gear, self.at = model.actuator_gear[i], model.actuator_trnid[i]
        prm = [getattr(model, f"actuator_{which}prm")[i] for which in ("gain", "bias", "dyn")]
        self.servo = SERVOS[self.gain](*prm, int(model.actuator_ctrlspec[i])) if self.gain in SERVOS else None

    def add(self) -> str:
        """Why it could not be added, or nothing."""
        if self.servo is not None and self.servo.why_not():
            return self.servo.why_not()
        if self.servo is None and (
            self.gain not in GAINS or self.bias not in BIASES or self.dynamics not in DYNAMICS or self.inputs() != 1
        ):
            return "only actuators with an affine gain and bias, filters, muscles and servos are modelled"
        if self.dynamics != "NONE" and self.host() is None:
            return "its state is one of a joint with one coordinate, and there is none"
        if self.on in ("JOINT", "JOINTINPARENT") and self.reading.is_scalar(self.at[0]):
            return self.add_on_joints({int(self.at[0]): 1.0})
        if self.on == "TENDON" and joints_of(self.reading, self.at[0]) is not None:
            return self.add_on_joints(joints_of(self.reading, self.at[0]))
        if self.on == "TENDON" and segments_of(self.reading, self.at[0]) is not None:
            return self.add_on_path(segments_of(self.reading, self.at[0]))
        if self.on == "SITE" and self.at[1] < 0:
            return self.add_on_site()
        return f"it acts on {self.where()}"

    def where(self) -> str:
        others = {
            "TENDON": f"a tendon that {WRAPS}",
            "SITE": "a site relative to another",
            "BODY": "a body by adhesion",
        }
        return others.get(
            self.on, "a joint of several coordinates" if self.on.startswith("JOINT") else "a slider-crank"
        )

    # ------------------------------------------------------------ what it gives

    def inputs(self) -> int:
        return int(self.model.actuator_ctrlnum[self.i])

    def control(self, what: str = "control", number: int = 0) -> str:
        """One of its inputs, within its range."""
        reading, model, i = self.reading, self.model, self.i
        k = int(model.actuator_ctrladr[i]) + number
        value = float(model.key_ctrl[reading.keyframe][k]) if reading.keyframe is not None else 0.0
        name = reading.names.free(f"{self.name} {what}")
        reading.system.input(name, value)
        if model.actuator_delay[i] and number == 0:
            reading.report.add("<actuator delay>", f"{self.name} {model.actuator_delay[i]:g}", DELAY)
        limited = model.actuator_ctrllimited[k] and not reading.off("CLAMPCTRL")
        return clamped(named(name), model.actuator_ctrlrange[k]) if limited else named(name)

    def host(self) -> int | None:
        """A joint with one coordinate, which its state belongs to: the one it moves, or the first."""
        joints = [j for j in range(self.model.njnt) if self.reading.is_scalar(j)]
        on_joint = self.on.startswith("JOINT") and int(self.at[0]) in joints
        return int(self.at[0]) if on_joint else next(iter(joints), None)

    def activation(self) -> str:
        """What is multiplied by its gain: the control, or a state that follows it."""
        if self.dynamics == "NONE":
            return self.control()
        return self.state(activation_rate(self.dynamics, self.model.actuator_dynprm[self.i], self.control()))

    def state(self, rate: str) -> str:
        """A state `a` of its own, which changes at this rate."""
        reading, model, i = self.reading, self.model, self.i
        name = reading.names.free(f"{self.name} activation")
        if model.actuator_actlimited[i]:
            rate = within(rate, model.actuator_actrange[i])
        host, what = self.host(), "torque" if reading.channel(self.host()).endswith("angle") else "force"
        reading.system.actuator(name, reading.names.joints[host], **{what: 0.0}, rate=rate)
        if reading.keyframe is not None:
            value = float(model.key_act[reading.keyframe][model.actuator_actadr[i]])
            reading.system.initial_conditions({f"{name}.integral": value})
        return named(f"{name}.integral")

    def force(self, length: str, rate: str) -> str:
        """F = gain(l, l̇) × activation + bias(l, l̇), within its range"""
        if self.servo is not None:
            given = {what: self.control(what, number) for what, number in self.servo.inputs.items()}
            law = self.servo.law(given, length, rate, self.state)
        else:
            gain, bias = (self.characteristic(which, length, rate) for which in ("gain", "bias"))
            law = " + ".join(one for one in (f"({gain or 0})*{self.activation()}", bias) if one)
        limited = self.model.actuator_forcelimited[self.i]
        return clamped(law, self.model.actuator_forcerange[self.i]) if limited else f"({law})"

    def characteristic(self, which: str, length: str, rate: str) -> str:
        if getattr(self, which) != "MUSCLE":
            return self.affine(which, length, rate)
        model, i = self.model, self.i
        muscle = Muscle(
            getattr(model, f"actuator_{which}prm")[i], model.actuator_lengthrange[i], model.actuator_acc0[i]
        )
        return muscle.gain(length, rate) if which == "gain" else muscle.bias(length)

    def affine(self, which: str, length: str, rate: str) -> str:
        """c0 + c1 l + c2 l̇, without what is zero or not of this type."""
        terms = {"FIXED": 1, "AFFINE": 3, "NONE": 0}[getattr(self, which)]
        given = getattr(self.model, f"actuator_{which}prm")[self.i][:terms]
        return " + ".join(f"{float(c)!r}{x}" for c, x in zip(given, ("", f"*{length}", f"*{rate}"), strict=False) if c)

    def take_name(self) -> None:
        on_joint = self.on.startswith("JOINT")
        otherwise = f"{self.reading.names.joints[self.at[0]]} motor" if on_joint else f"actuator {self.i}"
        self.name = self.reading.names.of("ACTUATOR", self.i, "motor", otherwise)

    # ------------------------------------------------------------ where it acts

    def law_of(self, length: str, rate: str) -> str:
        """F with the actuator's own damping, for gear × the length of what it moves."""
        model, i = self.model, self.i
        c, more = model.actuator_damping[i], model.actuator_dampingpoly[i]
        law = self.force(length, rate)
        if c or more.any():
            law += f" - ({float(c)!r} + {float(more[0])!r}*abs({rate}) + {float(more[1])!r}*{rate}**2)*{rate}"
        return law

    def add_on_path(self, segments: list) -> str:
        """Along a tendon through sites, gear × F."""
        self.take_name()
        reading, gear = self.reading, float(self.gear[0])
        reading.names.taken.discard(self.name)
        law_of = lambda length, rate: f"{gear!r}*({self.law_of(f'({gear!r}*{length})', f'({gear!r}*{rate})')})"
        why = pull(reading, self.name, segments, law_of)
        if self.model.actuator_armature[self.i]:
            given = f"{self.name} {self.model.actuator_armature[self.i]:g}"
            reading.report.add("<actuator armature>", given, "of a tendon it is not modelled")
        return why

    def add_on_joints(self, joints: dict[int, float]) -> str:
        """On each joint  gear × coefficient × F; its armature and damping are felt with gear²."""
        self.take_name()
        reading, model, gear = self.reading, self.model, float(self.gear[0])
        tendon = self.on == "TENDON"
        length, rate = (
            f"({gear!r}*{length_of(reading, self.at[0], r) if tendon else reading.coordinate(int(self.at[0]), r)})"
            for r in (False, True)
        )
        law, inertia = self.law_of(length, rate), model.actuator_armature[self.i]
        reading.names.taken.discard(self.name) if len(joints) == 1 else None
        for j, coefficient in joints.items():
            part = self.name if len(joints) == 1 else f"{self.name} on {reading.names.joints[j]}"
            push(reading, part, j, f"{gear * coefficient!r}*({law})")
        if inertia and len(joints) == 1 and gear:
            ((j, coefficient),) = joints.items()
            part = reading.names.free(f"{self.name} armature")
            reading.system.rotor(part, reading.names.joints[j], inertia=float(inertia), ratio=gear * coefficient)
        elif inertia:
            reading.report.add("<actuator armature>", f"{self.name} {inertia:g}", "of a tendon it is not modelled")
        return ""

    def add_on_site(self) -> str:
        """Force and torque along the axes of a site."""
        reading, site = self.reading, int(self.at[0])
        if reading.fixed(self.model.site_bodyid[site]):
            return "its site is fixed to the world"
        self.take_name()
        body, R = reading.names.bodies[self.model.site_bodyid[site]], rotation_of(self.model.site_quat[site])
        law = self.force("0", "0")
        reading.names.taken.discard(self.name)
        along, about = ([f"{float(x)!r}*{law}" for x in R @ half] for half in (self.gear[:3], self.gear[3:]))
        if self.gear[:3].any():
            reading.system.force(
                reading.names.free(self.name), body, value=along, at=self.model.site_pos[site], frame="body"
            )
        if self.gear[3:].any():
            reading.system.torque(reading.names.free(f"{self.name} torque"), body, value=about, frame="body")
        return ""
