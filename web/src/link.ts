// The line to the server: edits go out, states come in. It comes back by itself when it was cut.

import { keep } from "./assets";
import { embedded } from "./embedded";
import type { Busy, EditName, Edits, Live, Message, State } from "./protocol";

export interface LinkEvents {
  state(state: State): void;
  busy(busy: Busy): void;
  live(live: Live): void;
  warning(text: string): void;
  connected(open: boolean): void;
  drawn(): Promise<void>;
}

export class Link {
  private socket: WebSocket | null = null;
  private count = 0;
  private readonly waiting = new Map<number, { resolve: () => void; reject: (why: Error) => void }>();
  private readonly later: string[] = [];
  private readonly following = new Set<string>();
  private readonly newest = new Map<string, () => Promise<void>>();

  constructor(private readonly events: LinkEvents) {
    const held = embedded;
    if (held) queueMicrotask(() => events.state(held.state));
    else this.connect();
  }

  // One edit. Edits of one mouse drag share a name and are undone together.
  do<Name extends EditName>(name: Name, values: Edits[Name], drag = ""): Promise<void> {
    // The last edit of a drag is the last: what still waits to follow the mouse must not come after it.
    this.newest.delete(drag);
    this.count += 1;
    const id = this.count;
    const text = JSON.stringify({ id, do: name, with: values, drag });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send(text);
    });
  }

  // The same for edits that follow the mouse: while one is on its way only the newest of the next is kept.
  async follow<Name extends EditName>(name: Name, values: Edits[Name], drag: string): Promise<void> {
    this.newest.set(drag, () => this.do(name, values, drag));
    if (this.following.has(drag)) return;
    this.following.add(drag);
    for (let next = this.newest.get(drag); next; next = this.newest.get(drag)) {
      this.newest.delete(drag);
      const done = next().catch((why: Error) => this.events.warning(why.message));
      // The next step is thought about while this one is drawn, but none is asked for that nobody would see.
      await Promise.all([done, this.events.drawn()]);
    }
    this.following.delete(drag);
  }

  private send(text: string): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    else this.later.push(text);
  }

  private connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${location.pathname}line`);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.events.connected(true);
      for (const text of this.later.splice(0)) socket.send(text);
    };
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === "string") this.take(JSON.parse(data) as Message);
      else keep(data);
    };
    socket.onclose = () => {
      this.events.connected(false);
      for (const { reject } of this.waiting.values()) reject(new Error("the line to the studio was cut"));
      this.waiting.clear();
      setTimeout(() => this.connect(), 700);
    };
  }

  private take(message: Message): void {
    if (message.state) this.events.state(message.state);
    if (message.live) this.events.live(message.live);
    if (message.busy) this.events.busy(message.busy);
    if (message.warning) this.events.warning(message.warning);
    if (message.answer == null) return;
    const asked = this.waiting.get(message.answer);
    this.waiting.delete(message.answer);
    if (message.error) asked?.reject(new Error(message.error));
    else asked?.resolve();
  }
}
