"""The processor that machine code is made for, as Numba is given to see it; Numba need not be loaded for that."""

import functools
import os

WITHOUT_AVX = ("corei7-avx", "core-avx-i", "sandybridge", "ivybridge")  # Numba makes no use of it there
SETTINGS = ".numba_config.yaml"  # in the working folder: Numba reads it


@functools.cache
def processor():
    """What machine code depends on besides its source: system, processor, its features."""
    import llvmlite.binding as llvm

    if os.path.exists(SETTINGS):
        from numba.core.registry import cpu_target

        return cpu_target.target_context.codegen().magic_tuple()
    name = os.environ.get("NUMBA_CPU_NAME") or llvm.get_host_cpu_name()
    features = os.environ.get("NUMBA_CPU_FEATURES", "" if name.lower() == "generic" else None)
    return llvm.get_process_triple(), name, host_features(name) if features is None else features


def host_features(name):
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features()
    avx = os.environ.get("NUMBA_ENABLE_AVX")
    if int(avx) == 0 if avx else name in WITHOUT_AVX:
        for feature in features:
            if feature.startswith("avx"):
                features[feature] = False
    return features.flatten()


def engine_with(code, effort=1):
    """A place in memory with this machine code. It is there as long as the engine is."""
    import llvmlite.binding as llvm

    made = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target(effort))
    if code:
        made.add_object_file(llvm.ObjectFileRef.from_data(code))
        made.finalize_object()
    return made


def target(effort):
    """LLVM's machine for this processor; a new one each time: an engine takes it over."""
    import llvmlite.binding as llvm

    initialize()
    triple, name, features = processor()
    return llvm.Target.from_triple(triple).create_target_machine(cpu=name, features=features, opt=effort, jit=True)


@functools.cache
def initialize():
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
