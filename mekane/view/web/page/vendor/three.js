export {
  WebGLRenderer, Scene, PerspectiveCamera, Group, Mesh, Line, LineSegments, BufferGeometry, Float32BufferAttribute, BufferAttribute,
  MeshStandardMaterial, MeshBasicMaterial, LineBasicMaterial, LineDashedMaterial, ShadowMaterial, BoxGeometry, CylinderGeometry, CapsuleGeometry, SphereGeometry,
  RingGeometry, TorusGeometry, ConeGeometry, ExtrudeGeometry, PlaneGeometry, LatheGeometry, Shape, Path, TubeGeometry, CatmullRomCurve3, Vector2, Vector3,
  Quaternion, Matrix4, Color, Box3, AmbientLight, HemisphereLight, DirectionalLight, GridHelper, AxesHelper, ArrowHelper, DoubleSide, BackSide, Raycaster,
  ACESFilmicToneMapping, NeutralToneMapping, SRGBColorSpace, PMREMGenerator, PCFShadowMap,
} from "three";
export { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
export { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
