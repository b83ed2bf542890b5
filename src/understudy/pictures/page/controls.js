// Playing, scrubbing, orbiting. "#canvas" in the address asks for the plain drawing.

(() => {
  const at = (id) => document.getElementById(id);
  const clip = new Clip(JSON.parse(at("clip").textContent));
  let canvas = at("view"), picture;
  try {
    if (location.hash === "#canvas") throw new Error("asked for");
    picture = new SolidView(canvas, clip);
  } catch (reason) {
    // A canvas that has tried WebGL gives no other kind of pen.
    const fresh = canvas.cloneNode();
    canvas.replaceWith(fresh);
    canvas = fresh;
    picture = new FlatView(canvas, clip);
  }

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const themes = {
    light: { haze: linearColor("#eef1f4"), tile: linearColor("#f3f1ed"), tile2: linearColor("#e9e6e0"), line: linearColor("#8d97a5"), ambient: 0.5, dark: 0.2 },
    dark: { haze: linearColor("#171a20"), tile: linearColor("#262b34"), tile2: linearColor("#222730"), line: linearColor("#566072"), ambient: 0.42, dark: 0.4 },
  };
  const views = { "three-quarter": [-0.66, 0.24], front: [0, 0.12], side: [-Math.PI / 2, 0.12], top: [Math.PI, 1.55] };
  const state = { time: 0, playing: true, speed: 1, follow: true, stale: true };
  const orbit = new Orbit(clip.facing - 0.66, 4);
  let offset = [0, 0, 0];

  function reset(name) {
    const extent = clip.extent(state.follow);
    [orbit.yaw, orbit.pitch] = [clip.facing + views[name][0], views[name][1]];
    if (name === "top") orbit.yaw = Math.PI;
    const aspect = canvas.clientWidth / Math.max(canvas.clientHeight, 1);
    orbit.distance = 1.12 * extent.radius / Math.sin(orbit.angle / 2) / Math.min(1, aspect);
    offset = extent.centre;
    state.stale = true;
  }

  function view() {
    orbit.target = add(offset, state.follow ? clip.anchor(state.time) : [0, 0, 0]);
    return orbit.view(canvas.width / Math.max(canvas.height, 1));
  }

  function paint() {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    picture.draw(state.time, view(), dark.matches ? themes.dark : themes.light, orbit.distance);
    at("scrub").value = clip.duration ? state.time / clip.duration : 0;
    const frame = Math.round(state.time * clip.fps), last = Math.round(clip.duration * clip.fps);
    at("clock").textContent = `${state.time.toFixed(2)} s   ${String(frame).padStart(String(last).length)} / ${last}`;
    at("play").classList.toggle("playing", state.playing);
  }

  function seek(time) { state.time = clamp(time, 0, clip.duration); state.stale = true; }
  function step(frames) { state.playing = false; seek((Math.round(state.time * clip.fps) + frames) / clip.fps); }
  function toggle() {
    state.playing = !state.playing;
    if (state.playing && state.time >= clip.duration) state.time = 0;
    state.stale = true;
  }

  let before = 0;
  function tick(now) {
    const passed = Math.min((now - before) / 1000, 0.1);
    before = now;
    if (state.playing && clip.duration > 0) {
      state.time += passed * state.speed;
      if (state.time > clip.duration) state.time %= clip.duration;
      state.stale = true;
    }
    if (state.stale) { state.stale = false; paint(); }
    requestAnimationFrame(tick);
  }

  const fingers = new Map();
  canvas.addEventListener("pointerdown", (event) => { fingers.set(event.pointerId, event); canvas.setPointerCapture(event.pointerId); });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
  canvas.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const dx = event.clientX - last.clientX, dy = event.clientY - last.clientY;
    if (fingers.size > 1) {
      const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
      const gap = (finger) => Math.hypot(finger.clientX - other.clientX, finger.clientY - other.clientY);
      zoom(gap(last) / Math.max(gap(event), 1));
    } else if (event.shiftKey || event.buttons & 6) {
      const seen = view(), metres = 2 * orbit.distance * Math.tan(orbit.angle / 2) / canvas.clientHeight;
      offset = add(offset, add(scale(seen.right, -dx * metres), scale(seen.up, dy * metres)));
    } else {
      orbit.yaw -= 0.007 * dx;
      orbit.pitch = clamp(orbit.pitch + 0.007 * dy, -0.05, 1.55);
    }
    fingers.set(event.pointerId, event);
    state.stale = true;
  });
  function zoom(factor) { orbit.distance = clamp(orbit.distance * factor, 0.4, 120); state.stale = true; }
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoom(Math.exp(0.0012 * event.deltaY)); }, { passive: false });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());

  at("play").addEventListener("click", toggle);
  at("scrub").addEventListener("input", (event) => { state.playing = false; seek(event.target.value * clip.duration); });
  at("speed").addEventListener("change", (event) => { state.speed = Number(event.target.value); });
  at("follow").addEventListener("change", (event) => { state.follow = event.target.checked; reset("three-quarter"); });
  document.querySelectorAll("[data-view]").forEach((button) => button.addEventListener("click", () => reset(button.dataset.view)));
  addEventListener("resize", () => { state.stale = true; });
  dark.addEventListener("change", () => { state.stale = true; });
  const keys = { " ": toggle, ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => seek(0), End: () => seek(clip.duration), r: () => reset("three-quarter") };
  addEventListener("keydown", (event) => {
    const job = event.shiftKey && event.key.startsWith("Arrow") ? { ArrowLeft: () => step(-10), ArrowRight: () => step(10) }[event.key] : keys[event.key];
    // The slider and buttons are reached by the same keys: ours win, so that they act once.
    if (job && event.target.tagName !== "SELECT") { event.preventDefault(); job(); }
  });

  at("title").textContent = clip.title;
  at("facts").textContent = clip.facts;
  reset("three-quarter");
  requestAnimationFrame((now) => { before = now; tick(now); });

  /** For scripts and tests: control, and the pixel (CSS) of a world point. */
  window.understudyPlayer = {
    mode: picture.mode,
    seek: (time) => { state.playing = false; seek(time); paint(); },
    play: () => { if (!state.playing) toggle(); },
    pause: () => { state.playing = false; state.stale = true; },
    view: (name) => { reset(name); paint(); },
    get time() { return state.time; },
    get playing() { return state.playing; },
    capsules: (time) => Array.from(clip.capsules(time)),
    project: (point) => {
      const q = through(view().matrix, point);
      return [(0.5 + 0.5 * q[0] / q[3]) * canvas.clientWidth, (0.5 - 0.5 * q[1] / q[3]) * canvas.clientHeight];
    },
  };
})();
