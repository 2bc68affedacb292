"""Every tag and attribute of MJCF: what the importer uses, and what it leaves out, with the reason.

Tags are given with the section that they stand in, `body/joint`, `equality/joint`, and those of `default` as what they are
the default of; `actuator/*` are all tags in a section. A tag that is left out is so with all in it.
"""

PLACED = "pos quat axisangle xyaxes zaxis euler"

USED = f"""
mujoco: model
compiler: alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict coordinate eulerseq fitaabb
    inertiafromgeom inertiagrouprange meshdir settotalmass strippath texturedir
option: gravity
option/flag: actuation clampctrl constraint contact damper equality filterparent frictionloss gravity limit spring
include: file
default: class
asset:
asset/mesh: builtin class content_type face file inertia maxhullvert name params refpos refquat scale vertex
asset/hfield: content_type elevation file name ncol nrow size
asset/material: class name rgba
asset/model: content_type file name
body: childclass fuse gravcomp mocap name simple {PLACED}
body/attach: body frame model prefix
body/frame: childclass name {PLACED}
body/replicate: childclass count euler offset prefix sep
body/inertial: diaginertia fullinertia mass {PLACED}
body/joint: actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis class damping frictionloss limited name pos range
    ref springdamper springref springyield stiffness type
body/freejoint: align name
body/geom: class conaffinity condim contype density fitscale friction fromto group hfield mass material mesh name priority rgba
    shellinertia size type {PLACED}
body/site: class fromto name {PLACED}
contact:
contact/pair: class condim friction geom1 geom2 name
contact/exclude: body1 body2 name
equality:
equality/*: active class name
equality/connect: anchor body1 body2 site1 site2
equality/weld: anchor body1 body2 relpose site1 site2
equality/joint: joint1 joint2 polycoef
equality/tendon: polycoef tendon1 tendon2
equality/flex: flex
equality/flexstrain: flex cell
tendon:
tendon/*: actuatorfrclimited actuatorfrcrange armature class damping frictionloss limited name range springlength springyield
    stiffness
tendon/fixed/joint: coef joint
tendon/spatial/site: site
tendon/spatial/geom: geom sidesite
tendon/spatial/pulley: divisor
actuator:
actuator/*: actdim actlimited actrange area armature bias biasprm biastype body class cogging controller cranklength cranksite
    ctrllimited ctrlrange damping dampratio delay diameter dynprm dyntype ffrange force forcelimited forcerange fpmax fvmax gain
    gainprm gaintype gear imax inductance inheritrange input instance joint jointinparent ki kp kv lengthrange lmax lmin lugre motorconst
    name nominal plugin posrange range refsite resistance saturation scale site slewmax slidersite tausmooth tendon thermal timeconst
    velrange vmax
keyframe:
keyframe/key: act ctrl name qpos qvel
"""

SOFT = "MuJoCo's solver and how soft its constraints are; here they hold exactly"
LOOKS = "how it looks; what is drawn has plain colours"
LABELS = "numbers and groups for other programs"
OWN = "settings of MuJoCo itself"
FLUID = "there is no fluid, wind or magnetic field around bodies"

LEFT_OUT = {
    SOFT: """option@timestep option@integrator option@solver option@iterations option@tolerance option@ls_iterations
        option@ls_tolerance option@noslip_iterations option@noslip_tolerance option@ccd_iterations option@ccd_tolerance
        option@sdf_iterations option@sdf_initpoints option@cone option@jacobian option@impratio option@o_friction
        option@o_margin option@o_solimp option@o_solref option@apirate option@collision option@mpr_iterations
        option@mpr_tolerance option/flag@autoreset option/flag@diagexact option/flag@energy option/flag@eulerdamp
        option/flag@fwdinv option/flag@invdiscrete option/flag@ipc option/flag@island option/flag@midphase option/flag@multiccd
        option/flag@nativeccd option/flag@override option/flag@passive option/flag@refsafe option/flag@speculative
        option/flag@warmstart body/joint@margin body/joint@solimpfriction body/joint@solimplimit body/joint@solreffriction
        body/joint@solreflimit body/geom@solref body/geom@solimp body/geom@solmix body/geom@margin body/geom@gap
        contact/pair@margin contact/pair@gap contact/pair@solref contact/pair@solimp contact/pair@solreffriction
        equality/*@solref equality/*@solimp equality/weld@torquescale tendon/*@margin tendon/*@solimpfriction
        tendon/*@solimplimit tendon/*@solreffriction tendon/*@solreflimit""",
    LOOKS: """visual statistic asset/texture asset/skin asset/material/layer asset/material@emission asset/material@metallic
        asset/material@reflectance asset/material@roughness asset/material@shininess asset/material@specular asset/material@texrepeat
        asset/material@texture asset/material@texuniform deformable/skin body/camera body/light asset/mesh@material
        asset/mesh@normal asset/mesh@smoothnormal asset/mesh@texcoord body/geom@castshadow
        body/site@rgba body/site@material body/site@size body/site@type body/site@mesh tendon/*@rgba tendon/*@material
        tendon/*@width""",
    LABELS: """custom body@user body/joint@user body/geom@user body/site@user tendon/*@user actuator/*@user body/joint@group
        body/freejoint@group body/site@group tendon/*@group actuator/*@group keyframe/key@time""",
    OWN: """size compiler/lengthrange compiler@discardvisual compiler@exactmeshinertia compiler@fusestatic
        compiler@passthrough compiler@savecanonical compiler@savecompiled compiler@saveinertial compiler@usethread extension
        option@actuatorgroupdisable option@sleep_tolerance option/flag@sensor option/flag@sleep body@sleep
        actuator/*@actearly actuator/*@interp actuator/*@nsample actuator/plugin/config""",
    FLUID: "option@density option@viscosity option@wind option@magnetic body/geom@fluidshape body/geom@fluidcoef",
    "sensors are given as markers and outputs (s.marker, s.output)": "sensor",
    "bodies do not bend": "body/flexcomp deformable deformable/flex body/composite",
    "plug-ins of MuJoCo are not run": "asset/mesh/plugin body/plugin body/geom/plugin",
    "surfaces do not stick or carry": "body/geom@adhesion body/geom@surfacevel contact/pair@adhesion",
    "what a mocap body does is not known; it stays where it is": "keyframe/key@mpos keyframe/key@mquat",
    "springs here do not yield": "keyframe/key@plastic",
}


def _used() -> set[str]:
    """ "body/joint", "body/joint@axis", …"""
    found, tag = set(), ""
    for line in USED.strip().splitlines():
        head, colon, rest = line.partition(":")
        tag = head if colon else tag
        found |= {tag, *(f"{tag}@{name}" for name in (rest if colon else line).split())}
    return found


ACCOUNTED = dict.fromkeys(_used()) | {one: reason for reason, all in LEFT_OUT.items() for one in all.split()}


def account(path: str) -> str | None:
    """Why a tag or an attribute is left out; None if it is used. KeyError if it is not known."""
    section, slash, rest = path.partition("/")
    tag, at, attribute = rest.partition("@")
    return ACCOUNTED[path] if path in ACCOUNTED or not slash else ACCOUNTED[f"{section}/*{at}{attribute}"]
