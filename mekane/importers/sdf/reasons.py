"""Why what stands in an SDF file has no place in the model."""

UNKNOWN = "not read by Mekane"
SIMULATOR = "settings of another simulator"
CONTACT = "contacts are given as s.contact, with their friction"
COLOUR = "bodies are drawn in one colour, the diffuse one, else the ambient"
REASONS = {
    "sdf@version": "what is read is the same in all versions",
    "plugin": SIMULATOR,
    "self_collide": CONTACT,
    "allow_auto_disable": SIMULATOR,
    "enable_wind": SIMULATOR,
    "physics": SIMULATOR,
    "scene": SIMULATOR,
    "gui": SIMULATOR,
    "light": SIMULATOR,
    "include": "other files are not read",
    "frame": "frames with a name are given as markers",
    "link/sensor": "sensors are given as markers and outputs",
    "link/self_collide": CONTACT,
    "link/contact": CONTACT,
    "link/gravity": "gravity acts on all bodies",
    "link/kinematic": SIMULATOR,
    "link/velocity_decay": SIMULATOR,
    "link/collision/surface": CONTACT,
    "link/collision/material": "only what is drawn has a colour",
    "link/collision/max_contacts": CONTACT,
    "link/collision@name": "a label",
    "link/visual@name": "a label",
    "link/visual/cast_shadows": SIMULATOR,
    "link/visual/material/ambient": COLOUR,
    "link/visual/material/specular": COLOUR,
    "link/visual/material/emissive": COLOUR,
    "link/visual/material/script": COLOUR,
    "link/visual/material/lighting": SIMULATOR,
    "joint/physics": SIMULATOR,
    "joint/sensor": "sensors are given as markers and outputs",
    "joint/axis/limit/effort": "what a drive can give is the limit of its motor, s.motor(…, limit=…)",
    "joint/axis/limit/velocity": "a joint has no largest speed",
    "joint/axis/limit/stiffness": "limits are rigid",
    "joint/axis/limit/dissipation": "limits are rigid",
    "joint/axis/limit": "this type of joint has no limits",
    "joint/axis": "this type of joint has no axis",
}
