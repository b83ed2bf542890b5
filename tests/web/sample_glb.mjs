// Loads a GLB with three.js, plays its first animation, and prints what a viewer would show.
// usage: node sample_glb.mjs FILE TIME...   ->  JSON {clips, samples: [{nodes: {name: [x,y,z]}, boxes: {name: [min,max]}}]}
import { readFileSync } from "node:fs";
import * as THREE from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";

globalThis.self ??= globalThis;
const [path, ...times] = process.argv.slice(2);
const bytes = readFileSync(path);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const gltf = await new Promise((resolve, reject) => new GLTFLoader().parse(buffer, "", resolve, reject));

const mixer = new THREE.AnimationMixer(gltf.scene);
if (gltf.animations.length) {
  const action = mixer.clipAction(gltf.animations[0]);
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  action.play();
}

// three.js renames nodes; the association keeps the file's own names.
const nameOf = (object) => gltf.parser.json.nodes[gltf.parser.associations.get(object)?.nodes]?.name;

function look(time) {
  mixer.setTime(time);
  gltf.scene.updateMatrixWorld(true);
  const nodes = {};
  const boxes = {};
  gltf.scene.traverse((object) => {
    const name = nameOf(object);
    if (!name) return;
    nodes[name] = object.getWorldPosition(new THREE.Vector3()).toArray();
    if (object.isMesh) {
      if (object.isSkinnedMesh) object.skeleton.update();
      const box = new THREE.Box3();
      const point = new THREE.Vector3();
      for (let i = 0; i < object.geometry.attributes.position.count; i++) {
        object.getVertexPosition(i, point);
        box.expandByPoint(point.applyMatrix4(object.matrixWorld));
      }
      boxes[name] = [box.min.toArray(), box.max.toArray()];
    }
  });
  return { nodes, boxes };
}

const clips = gltf.animations.map((clip) => ({ name: clip.name, duration: clip.duration, tracks: clip.tracks.length }));
console.log(JSON.stringify({ clips, samples: times.map((time) => look(Number(time))) }));
