// The viewport: light, floor, people, things, curves and knobs. It draws when something changed, not all the time.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Live, State, Thing, Vec3 } from "../protocol";
import { Cast } from "./cast";
import { drawsInSoftware, Effort } from "./effort";
import { Ground } from "./ground";
import { Knobs } from "./knobs";
import { Lines } from "./lines";
import { Prop } from "./prop";

// Share of the pixels along each side that a picture of a movement has.
const ROUGH_PIXELS = 0.6;
// [ms] a picture is waited for at most.
const LONGEST_MS = 200;

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly knobs = new Knobs();
  readonly controls: OrbitControls;
  readonly camera = new THREE.PerspectiveCamera(45, 1, 0.05, 200);
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly lines = new Lines();
  private readonly people = new Cast();
  private readonly props = new Map<string, Prop>();
  private readonly ground = new Ground();
  private readonly shadows: boolean;
  private readonly effort: Effort;
  private wanted = false;
  private time = 0;
  private framed = false;
  private newest: { state: State; innards: boolean } | null = null;
  private taking: Promise<void> = Promise.resolve();
  // Called after every drawing, with the camera as it is.
  afterDrawing: () => void = () => undefined;

  constructor(
    host: HTMLElement,
    private readonly lowQuality: boolean,
  ) {
    this.renderer = new THREE.WebGLRenderer({ antialias: !lowQuality, powerPreference: "high-performance" });
    this.shadows = this.renderer.shadowMap.enabled = !lowQuality;
    this.effort = new Effort(drawsInSoftware(this.renderer.getContext()), () => this.draw());
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("aria-label", "Viewport. Drag to look around, click the floor or drag what is marked.");
    host.append(this.canvas);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.maxPolarAngle = Math.PI / 2 - 0.02;
    this.controls.addEventListener("change", () => this.draw());
    this.scene.add(this.ground.object, this.people.object, this.lines.object, this.knobs.object);
    this.look([3.6, 2.6, -3.6], [0, 0.9, 1.5]);
    new ResizeObserver(() => this.resize(host)).observe(host);
    this.resize(host);
  }

  theme(dark: boolean): void {
    const back = dark ? "#20242b" : "#dfe4ec";
    this.scene.background = new THREE.Color(back);
    this.scene.fog = new THREE.Fog(back, 14, 40);
    this.ground.theme(dark);
    this.draw();
  }

  look(from: Vec3, at: Vec3): void {
    this.camera.position.fromArray(from);
    this.controls.target.fromArray(at);
    this.controls.update();
    this.draw();
  }

  // Take over a state, one after the other; answers when it, or a newer one, is on the stage.
  take(state: State, innards: boolean): Promise<void> {
    this.effort.stir();
    this.newest = { state, innards };
    this.taking = this.taking.then(() => this.takeNewest()).catch(() => undefined);
    return this.taking;
  }

  private async takeNewest(): Promise<void> {
    if (!this.newest) return;
    const { state, innards } = this.newest;
    this.newest = null;
    await Promise.all([...this.takeProps(state.things), ...this.people.take(state.people)]);
    this.lines.set(state.lines, innards);
    this.seek(this.time);
    if (!this.framed && state.people.length > 0) {
      this.framed = true;
      this.frame();
    }
  }

  seek(time: number): void {
    this.time = time;
    this.people.seek(time);
    for (const prop of this.props.values()) prop.pose(time);
    this.draw();
  }

  // What a drag looks like at the time shown, before the clips that hold it are here.
  glimpse({ time_s, people, things, lines }: Live): void {
    if (Math.abs(time_s - this.time) > 1e-9) return;
    for (const [name, row] of Object.entries(people)) this.people.figure(name)?.stand(row);
    for (const [name, at] of Object.entries(things)) this.props.get(name)?.object.position.fromArray(at);
    if (!this.lines.move(lines)) this.lines.set(lines, false);
    this.draw();
  }

  // Everything in view; from the front, where people look, or from where the camera is.
  frame(front = false): void {
    const box = new THREE.Box3();
    for (const figure of this.people.figures().values()) box.union(figure.extent());
    for (const prop of this.props.values()) box.expandByObject(prop.object);
    box.union(this.lines.extent);
    if (box.isEmpty()) return;
    box.min.y = 0;
    const centre = box.getCenter(new THREE.Vector3());
    const radius = Math.min(Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1.6), 12);
    const away = front
      ? new THREE.Vector3(0.55, 0.35, 0.76)
      : this.camera.position.clone().sub(this.controls.target).normalize();
    // In a picture higher than wide it is the width that has to do.
    const half = Math.atan(Math.tan((Math.PI / 180) * (this.camera.fov / 2)) * Math.min(this.camera.aspect, 1));
    const distance = (0.95 * radius) / Math.sin(half);
    this.look(centre.clone().addScaledVector(away, distance).toArray() as Vec3, centre.toArray() as Vec3);
  }

  view(name: "front" | "side" | "top"): void {
    const at = this.controls.target.clone();
    const distance = this.camera.position.distanceTo(at);
    const way = { front: [0, 0.15, 1], side: [1, 0.15, 0], top: [0, 1, 0.001] }[name];
    const from = new THREE.Vector3().fromArray(way).setLength(distance).add(at);
    this.look(from.toArray() as Vec3, at.toArray() as Vec3);
  }

  // Around what is looked at, to the side and upwards [rad].
  turn(side: number, up: number): void {
    const at = this.controls.target;
    const away = new THREE.Spherical().setFromVector3(this.camera.position.clone().sub(at));
    away.theta += side;
    away.phi = Math.min(Math.max(away.phi - up, 0.01), this.controls.maxPolarAngle);
    this.look(new THREE.Vector3().setFromSpherical(away).add(at).toArray() as Vec3, at.toArray() as Vec3);
  }

  // Nearer or farther, by a share of the distance.
  approach(share: number): void {
    const at = this.controls.target;
    const from = this.camera.position.clone().sub(at).multiplyScalar(share).add(at);
    this.look(from.toArray() as Vec3, at.toArray() as Vec3);
  }

  joint(person: string, index: number): Vec3 | null {
    return (this.people.figure(person)?.joint(index).toArray() as Vec3 | undefined) ?? null;
  }

  thing(name: string): Vec3 | null {
    return (this.props.get(name)?.object.position.toArray() as Vec3 | undefined) ?? null;
  }

  // Whether the newest motion of somebody is on the stage; for tests and timing.
  shows(person: string): string {
    return this.people.figure(person)?.playing ?? "";
  }

  // From a point in the world to pixels of the page.
  pixels(at: Vec3): [number, number] {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const p = new THREE.Vector3().fromArray(at).project(this.camera);
    return [left + ((p.x + 1) / 2) * width, top + ((1 - p.y) / 2) * height];
  }

  ray(event: PointerEvent): THREE.Raycaster {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const place = new THREE.Vector2(
      (2 * (event.clientX - left)) / width - 1,
      1 - (2 * (event.clientY - top)) / height,
    );
    const ray = new THREE.Raycaster();
    ray.setFromCamera(place, this.camera);
    return ray;
  }

  // What lies under the mouse: knobs first, whatever stands before them.
  pick(event: PointerEvent): { knob?: string; thing?: string; person?: string; floor?: Vec3 } {
    // What was moved since the last drawing is hit where it is now.
    this.scene.updateMatrixWorld();
    const ray = this.ray(event);
    const knob = ray.intersectObject(this.knobs.object, true)[0]?.object.userData["knob"] as string | undefined;
    if (knob) return { knob };
    const bodies = [...this.people.figures()].map(([name, { object }]) => ({ name, object }));
    const things = [...this.props.values()].map(({ object, name }) => ({ name, object }));
    const hits = ray.intersectObjects<THREE.Mesh>([...bodies, ...things].map(({ object }) => object), false);
    const nearest = hits[0];
    if (nearest) {
      const body = bodies.find(({ object }) => object === nearest.object);
      if (body) return { person: body.name };
      return { thing: String(nearest.object.userData["thing"]) };
    }
    const at = ray.ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 1, 0)), new THREE.Vector3());
    return at && at.length() < 100 ? { floor: at.toArray() as Vec3 } : {};
  }

  draw(): void {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame((now) => {
      this.wanted = false;
      this.effort.begin(now);
      this.sketch(this.effort.coarse);
      this.renderer.render(this.scene, this.camera);
      this.afterDrawing();
    });
  }

  // Whether everything is drawn, or what is needed to follow a movement.
  private sketch(rough: boolean): void {
    this.people.sketch(rough);
    this.ground.light(this.controls.target, this.shadows && !rough, rough);
    const fine = Math.min(devicePixelRatio, this.lowQuality ? 1 : 2);
    const ratio = rough ? ROUGH_PIXELS * fine : fine;
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
  }

  // Answers once what was asked to be drawn has been handed to be drawn; at once when nothing was.
  drawn(): Promise<void> {
    if (!this.wanted) return Promise.resolve();
    // A page that is not looked at draws nothing and must not wait for it.
    return new Promise((done) => {
      const late = setTimeout(done, LONGEST_MS);
      requestAnimationFrame(() => {
        clearTimeout(late);
        done();
      });
    });
  }

  private takeProps(things: Thing[]): Promise<void>[] {
    const names = new Set(things.map(({ name }) => name));
    for (const [name, prop] of this.props) {
      if (names.has(name)) continue;
      prop.dispose();
      this.props.delete(name);
    }
    return things.map((thing) => {
      let prop = this.props.get(thing.name);
      if (!prop) {
        prop = new Prop(thing.name);
        this.props.set(thing.name, prop);
        this.scene.add(prop.object);
      }
      return prop.take(thing);
    });
  }

  private resize(host: HTMLElement): void {
    const { clientWidth: width, clientHeight: height } = host;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }
}
