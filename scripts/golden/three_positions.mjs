// Where three.js puts every vertex of a glTF file, as a witness that shares no code with Sinew.
// usage: node three_positions.mjs FILE.glb|FILE.gltf OUTPUT
// Writes OUTPUT.json (clips, times, which vertices triangles use) and OUTPUT.f32: for each clip, time and vertex x, y, z
// in world space. Vertices come in the file's order: nodes depth-first, primitives, accessors. Needs `npm install three`.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

globalThis.self ??= globalThis;
globalThis.ProgressEvent ??= class extends Event {};
const THREE = await import("three");
const { GLTFLoader } = await import("three/examples/jsm/loaders/GLTFLoader.js");

const SHARES = [0, 0.25, 0.5, 0.75, 1];

/** Nothing is drawn: materials are plain, and buffers beside the file are read from the disk. */
function headless(folder) {
  return (parser) => ({
    name: "headless",
    loadMaterial: async () => new THREE.MeshBasicMaterial(),
    loadBuffer: (index) => {
      const { uri } = parser.json.buffers[index];
      if (!uri) return null; // in the GLB itself
      const bytes = uri.startsWith("data:")
        ? Buffer.from(uri.slice(uri.indexOf(",") + 1), "base64")
        : readFileSync(join(folder, decodeURIComponent(uri)));
      return Promise.resolve(Uint8Array.from(bytes).buffer);
    },
  });
}

async function load(path) {
  const loader = new GLTFLoader();
  loader.register(headless(dirname(path)));
  return loader.parseAsync(Uint8Array.from(readFileSync(path)).buffer, "");
}

/** glTF asks for unit quaternions, and three.js interpolates what it is given. */
function normalizeRotations(clip) {
  const quaternion = new THREE.Quaternion();
  for (const track of clip.tracks) {
    const cubic = track.createInterpolant?.isInterpolantFactoryMethodGLTFCubicSpline;
    if (track.ValueTypeName !== "quaternion" || cubic) continue;
    for (let i = 0; i < track.values.length; i += 4) {
      quaternion.fromArray(track.values, i).normalize().toArray(track.values, i);
    }
  }
}

function poseAt(root, clip, seconds) {
  const mixer = new THREE.AnimationMixer(root);
  const action = mixer.clipAction(clip);
  action.setLoop(THREE.LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  mixer.setTime(seconds);
  root.traverse((object) => object.quaternion.normalize()); // after cubic splines
  root.updateMatrixWorld(true);
  root.traverse((object) => object.isSkinnedMesh && object.skeleton.update());
  return () => mixer.stopAllAction().uncacheRoot(root);
}

function positions(meshes) {
  const result = [];
  const point = new THREE.Vector3();
  for (const mesh of meshes) {
    for (let i = 0; i < mesh.geometry.attributes.position.count; ++i) {
      mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld);
      result.push(point.x, point.y, point.z);
    }
  }
  return Float32Array.from(result);
}

function usedVertices(meshes) {
  const used = [];
  for (const { geometry } of meshes) {
    const first = used.length;
    const indexed = geometry.index !== null;
    for (let i = 0; i < geometry.attributes.position.count; ++i) used.push(!indexed);
    if (indexed) for (const index of geometry.index.array) used[first + index] = true;
  }
  return used.flatMap((is, index) => (is ? [index] : []));
}

const [path, output] = process.argv.slice(2);
const gltf = await load(path);
const meshes = [];
gltf.scene.traverse((object) => object.isMesh && meshes.push(object));
const clips = [];
const blocks = [];
for (const clip of gltf.animations) {
  normalizeRotations(clip);
  const times = SHARES.map((share) => share * clip.duration);
  for (const seconds of times) {
    const reset = poseAt(gltf.scene, clip, seconds);
    blocks.push(Buffer.from(positions(meshes).buffer));
    reset();
  }
  clips.push({ name: clip.name, index: clips.length, times_seconds: times });
}
const header = { witness: `three.js r${THREE.REVISION}`, file_order: true, clips, used_vertices: usedVertices(meshes) };
writeFileSync(`${output}.json`, JSON.stringify(header));
writeFileSync(`${output}.f32`, Buffer.concat(blocks));
