// Everybody on the stage, each perhaps with a ghost: the motion before it was changed.

import * as THREE from "three";
import { personColor } from "../colors";
import type { Person } from "../protocol";
import { Figure } from "./figure";

interface Member {
  figure: Figure;
  ghost: Figure | null;
  skin: string;
  startS: number;
}

export class Cast {
  readonly object = new THREE.Group();
  private readonly members = new Map<string, Member>();

  take(people: Person[]): Promise<void>[] {
    const names = new Set(people.map(({ name }) => name));
    for (const [name, member] of this.members) if (!names.has(name)) this.dismiss(name, member);
    return people.map((person, index) => this.takeOne(person, index));
  }

  figure(name: string): Figure | undefined {
    return this.members.get(name)?.figure;
  }

  figures(): Map<string, Figure> {
    return new Map([...this.members].map(([name, { figure }]) => [name, figure]));
  }

  seek(time: number): void {
    for (const { figure, ghost, startS } of this.members.values()) {
      figure.pose(time - startS);
      ghost?.pose(time - startS);
    }
  }

  // With few triangles, or with all.
  sketch(rough: boolean): void {
    for (const { figure, ghost } of this.members.values()) {
      figure.sketch(rough);
      ghost?.sketch(rough);
    }
  }

  private async takeOne(person: Person, index: number): Promise<void> {
    if (!person.skin || !person.clip) return;
    let member = this.members.get(person.name);
    if (!member || member.skin !== person.skin) {
      const material = new THREE.MeshStandardMaterial({ color: personColor(index), roughness: 0.7 });
      const figure = await Figure.make(person.skin, material);
      const known = this.members.get(person.name);
      if (known) this.dismiss(person.name, known);
      member = { figure, ghost: null, skin: person.skin, startS: person.start_s };
      await figure.play(person.clip);
      this.members.set(person.name, member);
      this.object.add(figure.object);
    }
    member.startS = person.start_s;
    await member.figure.play(person.clip);
    if (!person.ghost) {
      member.ghost?.dispose();
      member.ghost = null;
      return;
    }
    if (!member.ghost) {
      const faint = new THREE.MeshStandardMaterial({
        color: "#8d95a5",
        transparent: true,
        opacity: 0.28,
        depthWrite: false,
      });
      member.ghost = await Figure.make(person.skin, faint);
      member.ghost.object.castShadow = false;
      this.object.add(member.ghost.object);
    }
    await member.ghost.play(person.ghost);
  }

  private dismiss(name: string, member: Member): void {
    member.figure.dispose();
    member.ghost?.dispose();
    this.members.delete(name);
  }
}
