// The mouse (or a finger) in the viewport: knobs and things are dragged, the floor is clicked, the rest turns the view.

import * as THREE from "three";
import type { Vec3 } from "../protocol";
import type { Stage } from "./stage";

export interface Pointed {
  selected(name: string | null): void;
  thingDragged(name: string, at: Vec3, done: boolean, drag: string): void;
  floorClicked(at: Vec3, event: PointerEvent): void;
}

// How far mouse and finger move in a click.
const SLACK_PX = { mouse: 4, touch: 12 };
let drags = 0;

export function newDrag(): string {
  drags += 1;
  return `drag${drags}-${Math.round(performance.now())}`;
}

function isFar(from: PointerEvent, to: PointerEvent): boolean {
  const slack = from.pointerType === "touch" ? SLACK_PX.touch : SLACK_PX.mouse;
  return Math.hypot(to.clientX - from.clientX, to.clientY - from.clientY) > slack;
}

export function point(stage: Stage, pointed: Pointed, thingAt: (name: string) => Vec3 | null): void {
  const { canvas, controls } = stage;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const hit = stage.pick(event);
    const at = hit.thing ? thingAt(hit.thing) : null;
    const knob = hit.knob ? stage.knobs.find(hit.knob) : undefined;
    if (knob) {
      stage.knobs.hold(knob.id);
      follow(event, knob.plane, knob.at, (place, done, drag) => {
        stage.knobs.move(knob.id, new THREE.Vector3().fromArray(place));
        stage.draw();
        if (done) stage.knobs.hold("");
        knob.drag(place, done, drag);
      });
    } else if (hit.thing && at) {
      const name = hit.thing;
      pointed.selected(name);
      follow(event, "floor", at, (place, done, drag) => pointed.thingDragged(name, place, done, drag));
    } else {
      const released = (up: PointerEvent): void => {
        canvas.removeEventListener("pointerup", released);
        if (isFar(event, up)) return;
        if (hit.person) pointed.selected(hit.person);
        else if (hit.floor) pointed.floorClicked(hit.floor, up);
        else pointed.selected(null);
      };
      canvas.addEventListener("pointerup", released);
    }
  });

  // Follow a drag in a plane through what was taken hold of, so that it does not jump under the mouse.
  function follow(
    down: PointerEvent,
    kind: "floor" | "view",
    held: Vec3,
    moved: (at: Vec3, done: boolean, drag: string) => void,
  ): void {
    controls.enabled = false;
    canvas.setPointerCapture(down.pointerId);
    const drag = newDrag();
    const anchor = new THREE.Vector3().fromArray(held);
    const normal =
      kind === "floor" ? new THREE.Vector3(0, 1, 0) : stage.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, anchor);
    const first = stage.ray(down).ray.intersectPlane(plane, new THREE.Vector3()) ?? anchor.clone();
    let far = false;
    const place = (event: PointerEvent): Vec3 | null => {
      const hit = stage.ray(event).ray.intersectPlane(plane, new THREE.Vector3());
      return hit ? (hit.sub(first).add(anchor).toArray() as Vec3) : null;
    };
    const move = (event: PointerEvent): void => {
      far ||= isFar(down, event);
      const at = far ? place(event) : null;
      if (at) moved(at, false, drag);
    };
    const up = (event: PointerEvent): void => {
      canvas.removeEventListener("pointermove", move);
      canvas.removeEventListener("pointerup", up);
      canvas.removeEventListener("pointercancel", up);
      controls.enabled = true;
      const at = far ? place(event) : null;
      if (at) moved(at, true, drag);
      else stage.knobs.hold("");
    };
    canvas.addEventListener("pointermove", move);
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
  }
}
