// The page: parts put together, state in, edits out.

import "./style.css";
import { Clock } from "./clock";
import { embedded, memory } from "./embedded";
import { chooseFile, download, takeDrops, upload } from "./files";
import { listen } from "./keys";
import { Link } from "./link";
import { MODES } from "./modes";
import { Inspector } from "./panels/inspector";
import { Outliner } from "./panels/outliner";
import { StartScreen } from "./panels/start";
import { Timeline } from "./panels/timeline";
import { Top } from "./panels/top";
import { Tour } from "./panels/tour";
import { h } from "./parts/dom";
import type { EditName, Edits, Live, State, Vec3 } from "./protocol";
import type { Mode, Studio } from "./studio";
import { point } from "./viewport/pointing";
import { Stage } from "./viewport/stage";

const NOTHING: State = {
  name: "",
  mode: "walk",
  duration_s: 0,
  verdict: { status: "idle", text: "", seconds: 0, checks: [], worst: null },
  people: [],
  things: [],
  tasks: [],
  marks: [],
  lines: [],
  settings: {},
  serial: -1,
  undo: "",
  redo: "",
  busy: null,
};

class Page implements Studio {
  state = NOTHING;
  selected: string | null = null;
  innards = false;
  // The newest step that is on the stage; a state comes before its clips do.
  shown = -1;
  // How many steps have been drawn; for timing.
  pictures = 0;
  private pictured = -1;
  readonly clock = new Clock();
  readonly stage: Stage;
  readonly link: Link;
  private readonly top: Top;
  private readonly outliner: Outliner;
  private readonly inspector: Inspector;
  private readonly timeline: Timeline;
  private readonly start: StartScreen;
  private readonly hint = h("p", { class: "hint floating" });
  private readonly labels = h("div", { class: "labels" });
  private readonly messages = h("div", { class: "messages", attributes: { role: "status", "aria-live": "polite" } });
  private readonly offline = h("p", { class: "offline" }, "The studio's server is away; trying to reach it again…");
  private dark = memory.get("theme") !== "light";

  constructor() {
    const viewport = h("main", { class: "viewport", label: "Stage" }, this.labels, this.hint, this.messages, this.offline);
    const asked = new URLSearchParams(location.search);
    this.stage = new Stage(viewport, asked.has("lowq"));
    const tour = new Tour();
    const actions = {
      openStart: () => void this.start.open(),
      openTour: () => tour.open(),
      importFile: () => chooseFile((file) => this.take(file)),
      exportAs: (kind: string) => this.exportAs(kind),
      switchTheme: () => this.theme(!this.dark),
    };
    this.top = new Top(this, actions);
    this.outliner = new Outliner(this);
    this.inspector = new Inspector(this);
    this.timeline = new Timeline(this);
    this.start = new StartScreen(this, actions);
    document.body.append(
      this.top.element,
      this.outliner.element,
      viewport,
      this.inspector.element,
      this.timeline.element,
      this.start.element,
    );
    this.clock.onChange(() => {
      this.stage.seek(this.clock.time);
      this.stage.knobs.set(this.mode?.knobs(this) ?? []);
      if (this.mode?.followsTime && !this.clock.playing) this.inspector.show();
    });
    this.stage.afterDrawing = () => {
      this.placeLabels();
      if (this.shown !== this.pictured) this.pictures += 1;
      this.pictured = this.shown;
    };
    listen(this, { exportGlb: () => this.exportAs("glb"), openStart: actions.openStart });
    if (!embedded) {
      takeDrops((file) => this.take(file));
      point(this.stage, this.pointed(), (name) => this.thingAt(name));
    }
    this.theme(this.dark);
    this.link = new Link({
      state: (state) => this.show(state),
      busy: (busy) => {
        this.state = { ...this.state, busy };
        this.top.show();
      },
      live: (live) => this.glimpse(live),
      warning: (text) => this.say(text, "fault"),
      drawn: () => this.stage.drawn(),
      connected: (open) => this.offline.classList.toggle("shown", !open),
    });
    document.body.classList.toggle("embedded", embedded !== undefined);
    // Whoever has opened a file of their own wants to see that first.
    if (!embedded && !asked.has("opened") && !memory.get("visited")) {
      memory.set("visited", "yes");
      void this.start.open();
    }
  }

  private get mode(): Mode | undefined {
    return MODES.find(({ name }) => name === this.state.mode);
  }

  refresh(): void {
    void this.present();
  }

  // Every part as the state has it; answers when the stage shows it, or something newer.
  private async present(): Promise<void> {
    this.top.show();
    this.outliner.show();
    this.inspector.show();
    this.timeline.show();
    this.hint.textContent = this.mode?.hint ?? "";
    const { state } = this;
    await this.stage.take(state, this.innards);
    // Knobs of people need their bodies, which may have had to be fetched first.
    if (state !== this.state) return;
    this.stage.knobs.set(this.mode?.knobs(this) ?? []);
    if (this.mode?.followsTime) this.inspector.show();
    this.stage.draw();
  }

  select(name: string | null): void {
    this.selected = name;
    this.refresh();
  }

  edit<Name extends EditName>(name: Name, values: Edits[Name], drag = ""): void {
    this.link.do(name, values, drag).catch((why: Error) => this.say(why.message, "fault"));
  }

  follow<Name extends EditName>(name: Name, values: Edits[Name], drag: string): void {
    void this.link.follow(name, values, drag);
  }

  say(text: string, kind: "fault" | "note" = "note"): void {
    const message = h("p", { class: kind }, text);
    this.messages.append(message);
    setTimeout(() => message.remove(), kind === "fault" ? 9000 : 4000);
  }

  private show(state: State): void {
    const replaced = state.name !== this.state.name;
    this.state = state;
    this.clock.setDuration(state.duration_s);
    const names = new Set([...state.people, ...state.things].map(({ name }) => name));
    if (this.selected && !names.has(this.selected)) this.selected = null;
    void this.present().then(() => {
      if (replaced) this.stage.frame(state.mode !== "walk");
      this.shown = Math.max(this.shown, state.serial);
    });
  }

  // A step of a drag, as far as it is seen now.
  private glimpse(live: Live): void {
    const { verdict } = this.state;
    this.state = { ...this.state, serial: live.serial };
    if (verdict.status !== "judging" || verdict.text !== live.text) {
      this.state.verdict = { ...verdict, status: "judging", text: live.text };
      this.top.show();
    }
    this.stage.glimpse(live);
    this.stage.knobs.set(this.mode?.knobs(this) ?? []);
    this.shown = live.serial;
  }

  private pointed() {
    return {
      selected: (name: string | null) => this.select(name),
      thingDragged: (name: string, at: Vec3, done: boolean, drag: string) => {
        if (done) this.edit("thing.place", { name, position: at }, drag);
        else this.follow("thing.place", { name, position: at }, drag);
      },
      floorClicked: (at: Vec3, event: PointerEvent) => {
        if (this.mode?.floorClicked) this.mode.floorClicked(this, at, event);
        else this.select(null);
      },
    };
  }

  private thingAt(name: string): Vec3 | null {
    return this.state.things.find((thing) => thing.name === name)?.position ?? null;
  }

  private placeLabels(): void {
    const knobs = this.stage.knobs.list();
    while (this.labels.children.length < knobs.length) this.labels.append(h("span"));
    while (this.labels.children.length > knobs.length) this.labels.lastChild?.remove();
    const { left, top } = this.labels.getBoundingClientRect();
    knobs.forEach((knob, k) => {
      const label = this.labels.children[k] as HTMLElement;
      const [x, y] = this.stage.pixels(knob.at);
      if (label.textContent !== knob.title) label.textContent = knob.title;
      label.style.transform = `translate(${Math.round(x - left)}px, ${Math.round(y - top + 14)}px) translateX(-50%)`;
    });
  }

  private take(file: File): void {
    upload(file).then(
      () => this.say(`${file.name} imported`),
      (why: Error) => this.say(why.message, "fault"),
    );
  }

  private exportAs(kind: string): void {
    this.say(`writing ${kind}…`);
    download(kind).then(
      (name) => this.say(`${name} saved`),
      (why: Error) => this.say(why.message, "fault"),
    );
  }

  private theme(dark: boolean): void {
    this.dark = dark;
    document.documentElement.dataset["theme"] = dark ? "dark" : "light";
    memory.set("theme", dark ? "dark" : "light");
    this.stage.theme(dark);
  }
}

const page = new Page();
// For tests and for the curious: the same objects the page works with.
Object.assign(window, { studio: page });
