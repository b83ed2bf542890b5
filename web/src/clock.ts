// The time shown: scrubbed, played, looped.

export class Clock {
  time = 0;
  playing = false;
  loop = true;
  speed = 1;
  private duration = 0;
  private last = 0;
  private readonly listeners: (() => void)[] = [];

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  get end(): number {
    return this.duration;
  }

  setDuration(seconds: number): void {
    this.duration = seconds;
    if (this.time > seconds) this.seek(seconds);
  }

  seek(seconds: number): void {
    this.time = Math.min(Math.max(seconds, 0), this.duration);
    this.changed();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (this.duration <= 0) return;
    if (this.time >= this.duration - 1e-6) this.time = 0;
    this.playing = true;
    this.last = performance.now();
    requestAnimationFrame(this.tick);
    this.changed();
  }

  pause(): void {
    this.playing = false;
    this.changed();
  }

  changed(): void {
    for (const listener of this.listeners) listener();
  }

  private readonly tick = (now: number): void => {
    if (!this.playing) return;
    this.time += (Math.max(now - this.last, 0) / 1000) * this.speed;
    this.last = now;
    if (this.time >= this.duration) {
      if (this.loop && this.duration > 0) this.time %= this.duration;
      else {
        this.time = this.duration;
        this.playing = false;
      }
    }
    this.changed();
    if (this.playing) requestAnimationFrame(this.tick);
  };
}
