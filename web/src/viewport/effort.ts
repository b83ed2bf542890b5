// How much is drawn: everything while the picture rests, less while it changes and drawing cannot keep up.

// [ms] pictures that follow each other closer than this belong to one movement, and how long it rests after one.
const SERIES_MS = 250;
// [ms] a movement's pictures may take on average before less is drawn.
const SLOW_MS = 26;

export class Effort {
  // Whether the next picture is one of many and has to be cheap.
  coarse = false;
  private stirred = 0;
  private drawn = 0;
  private each: number;
  private rest = 0;

  constructor(
    slow: boolean,
    private readonly redraw: () => void,
  ) {
    this.each = slow ? 2 * SLOW_MS : 0;
  }

  // Something has begun to change: the pictures that follow belong together.
  stir(): void {
    this.stirred = performance.now();
  }

  // Before every picture.
  begin(now: number): void {
    const since = now - this.drawn;
    this.drawn = now;
    // What little is drawn is quick; only what everything takes says whether less is needed.
    if (since < SERIES_MS && !this.coarse) this.each += 0.2 * (since - this.each);
    const moving = since < SERIES_MS || now - this.stirred < SERIES_MS;
    this.coarse = moving && this.each > SLOW_MS;
    clearTimeout(this.rest);
    if (this.coarse) this.rest = setTimeout(this.redraw, SERIES_MS + 20);
  }
}

// Without a graphics card browsers draw on the processor, which says so in its name.
export function drawsInSoftware(context: WebGLRenderingContext | WebGL2RenderingContext): boolean {
  const names = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(context.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : context.RENDERER));
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
