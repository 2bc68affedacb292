export {
  WebGLRenderer, Scene, PerspectiveCamera, Group, Mesh, Line, LineSegments, BufferGeometry, Float32BufferAttribute, BufferAttribute,
  MeshStandardMaterial, MeshBasicMaterial, LineBasicMaterial, LineDashedMaterial, BoxGeometry, CylinderGeometry, CapsuleGeometry, SphereGeometry, RingGeometry,
  TorusGeometry, ConeGeometry, ExtrudeGeometry, PlaneGeometry, Shape, Path, TubeGeometry, CatmullRomCurve3, Vector2, Vector3, Quaternion, Matrix4, Color, Box3,
  AmbientLight, HemisphereLight, DirectionalLight, GridHelper, AxesHelper, ArrowHelper, DoubleSide, Raycaster, ACESFilmicToneMapping, SRGBColorSpace,
} from "three";
export { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
