// The bottom panel: play, scrub, and a track for everybody and everything with something to tell.

import { COLORS } from "../colors";
import { button, h, refill } from "../parts/dom";
import type { Mark } from "../protocol";
import type { Studio } from "../studio";

const SIGNS: Record<string, string> = { throw: "▲", catch: "▼", touch: "●", hold: "◆" };
const SPEEDS = ["0.25", "0.5", "1", "2"];

export class Timeline {
  readonly element = h("footer", { class: "timeline", label: "Timeline" });
  private readonly controls = h("div", { class: "transport" });
  private readonly tracks = h("div", { class: "tracks" });
  private readonly needle = h("div", { class: "needle" });
  private readonly scrubber = h("input", { class: "scrubber", key: "scrub", label: "Time" });
  private readonly readout = h("output", { class: "readout" });

  constructor(private readonly studio: Studio) {
    this.scrubber.type = "range";
    this.scrubber.min = "0";
    this.scrubber.step = "any";
    this.scrubber.addEventListener("input", () => {
      studio.clock.pause();
      studio.clock.seek(this.scrubber.valueAsNumber);
    });
    this.element.append(this.controls, this.scrubber, this.tracks);
    this.tracks.addEventListener("pointerdown", (event) => this.scrub(event));
    studio.clock.onChange(() => this.tick());
  }

  show(): void {
    const { clock, state } = this.studio;
    refill(
      this.controls,
      button("|◀", () => clock.seek(0), { key: "to start", label: "To the start (Home)" }),
      button(clock.playing ? "❚❚" : "▶", () => clock.toggle(), {
        key: "play",
        label: clock.playing ? "Pause (space)" : "Play (space)",
      }),
      button("⟲", () => this.toggleLoop(), { key: "loop", label: "Loop", pressed: clock.loop }),
      this.speed(),
      this.readout,
    );
    const names = [...new Set([...state.people.map(({ name }) => name), ...state.marks.map(({ track }) => track)])];
    const rows = names.map((name) => this.row(name, state.marks.filter((mark) => mark.track === name)));
    refill(this.tracks, this.ruler(), ...rows, this.needle);
    this.scrubber.max = String(Math.max(clock.end, 0.001));
    this.tick();
  }

  private row(name: string, marks: Mark[]): HTMLElement {
    const lane = h("div", { class: "lane" });
    for (const mark of marks) lane.append(mark.icon ? this.sign(mark) : this.bar(mark));
    return h("div", { class: "track" }, h("span", { class: "name", title: name }, name), lane);
  }

  // What happens at one time, as a sign on the lane.
  private sign(mark: Mark): HTMLElement {
    const { clock } = this.studio;
    const sign = button(SIGNS[mark.icon] ?? "", () => clock.seek(mark.start_s), {
      class: `sign ${mark.icon}`,
      title: `${mark.text}, ${mark.start_s.toFixed(2)} s`,
      label: `${mark.text} at ${mark.start_s.toFixed(2)} s`,
    });
    sign.style.left = `${(100 * mark.start_s) / Math.max(clock.end, 0.001)}%`;
    if (mark.kind === "constraint") sign.style.color = COLORS.constraint;
    return sign;
  }

  private bar(mark: Mark): HTMLElement {
    const { clock } = this.studio;
    const end = Math.max(clock.end, 0.001);
    const bar = button("", () => clock.seek((mark.start_s + mark.end_s) / 2), {
      class: `bar ${mark.kind}`,
      title: mark.text,
      label: `${mark.kind}: ${mark.text}, ${mark.start_s.toFixed(2)} to ${mark.end_s.toFixed(2)} s`,
    });
    bar.style.left = `${Math.min((100 * mark.start_s) / end, 99.6)}%`;
    bar.style.width = `${Math.max((100 * (mark.end_s - mark.start_s)) / end, 0.4)}%`;
    bar.style.background = COLORS[mark.kind];
    return bar;
  }

  private ruler(): HTMLElement {
    const end = this.studio.clock.end;
    const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30].find((one) => end / one <= 12) ?? 60;
    const lane = h("div", { class: "lane ruler" });
    for (let time = 0; time <= end + 1e-9 && end > 0; time += step) {
      const tick = h("span", {}, `${Number(time.toFixed(1))} s`);
      tick.style.left = `${(100 * time) / end}%`;
      lane.append(tick);
    }
    return h("div", { class: "track" }, h("span", { class: "name" }), lane);
  }

  private speed(): HTMLElement {
    const select = h("select", { key: "speed", label: "Speed" });
    for (const speed of SPEEDS) {
      const option = h("option", {}, `${speed}×`);
      option.value = speed;
      option.selected = Number(speed) === this.studio.clock.speed;
      select.append(option);
    }
    select.addEventListener("change", () => (this.studio.clock.speed = Number(select.value)));
    return select;
  }

  private toggleLoop(): void {
    this.studio.clock.loop = !this.studio.clock.loop;
    this.show();
  }

  private tick(): void {
    const { clock, state } = this.studio;
    this.scrubber.value = String(clock.time);
    const share = clock.end > 0 ? clock.time / clock.end : 0;
    this.needle.style.setProperty("--at", String(share));
    const fps = state.people[0]?.clip?.fps ?? 30;
    this.readout.textContent = `${clock.time.toFixed(2)} s · frame ${Math.round(clock.time * fps)} of ${Math.round(clock.end * fps)}`;
    const play = this.controls.querySelector('[data-key="play"]');
    if (play) play.textContent = clock.playing ? "❚❚" : "▶";
  }

  private scrub(event: PointerEvent): void {
    const lane = this.tracks.querySelector(".lane");
    if (!lane || event.target instanceof HTMLButtonElement) return;
    const { left, width } = lane.getBoundingClientRect();
    const seek = (at: PointerEvent): void =>
      this.studio.clock.seek(((at.clientX - left) / width) * this.studio.clock.end);
    this.studio.clock.pause();
    seek(event);
    this.tracks.setPointerCapture(event.pointerId);
    const stop = (): void => {
      this.tracks.removeEventListener("pointermove", seek);
      this.tracks.removeEventListener("pointerup", stop);
      this.tracks.removeEventListener("pointercancel", stop);
    };
    this.tracks.addEventListener("pointermove", seek);
    this.tracks.addEventListener("pointerup", stop);
    this.tracks.addEventListener("pointercancel", stop);
  }
}
