"""The distance image on the processor and on a graphics card: local minima of 10,000 and 100,000 frames.

    python -m benchmarks.suites.gpu_image [--frames 10000,100000] [--device cuda|cpu|none] [-o gpu.json]

Frames are 22 points that circle and sway, so that minima are as many as in a walk. The processor's row is one thread
and only as many rows of tiles as take a minute, scaled to the whole (column ``extrapolated``).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.machine import machine, versions
from understudy.library.distance import Windows, local_minima, windows
from understudy.library.gpu_image import gpu_fault, gpu_minima, torch_on

JOINTS, HALF, THRESHOLD_M = 22, 15, 0.06


def walking(frames: int, seed: int = 0) -> Windows:
    """Points of somebody who walks in curves at 60 fps, every step a little different."""
    rng = np.random.default_rng(seed)
    phase = np.cumsum(2.0 * np.pi / 66.0 * (1.0 + 0.05 * rng.standard_normal(frames)))
    drift = np.cumsum(rng.standard_normal((frames, JOINTS, 3)), axis=0)
    drift -= np.linspace(0.0, 1.0, frames)[:, None, None] * drift[-1]
    places = rng.uniform(-0.4, 0.4, (JOINTS, 3)) + 0.15 * rng.standard_normal((JOINTS, 3)) * np.sin(
        phase[:, None, None] + rng.uniform(0.0, 2.0 * np.pi, (JOINTS, 3))
    )
    moving = places + 0.03 * drift / np.abs(drift).max()
    return windows(moving, np.ones(JOINTS), half=HALF, starts=[0, frames])


def gpu_row(frames: int, device: str) -> dict[str, object]:
    """Seconds on the card, transfers included; the best of two after a warm-up."""
    torch, points = torch_on(device), walking(frames)
    gpu_minima(walking(3000), threshold_m=THRESHOLD_M, apart=30, device=device)
    times = []
    for _ in range(2):
        start = perf_counter()
        pairs, _ = gpu_minima(points, threshold_m=THRESHOLD_M, apart=30, device=device)
        times.append(perf_counter() - start)
    name = torch.cuda.get_device_name() if device == "cuda" else "PyTorch on the processor"
    return {"case": f"{frames} frames", "method": name, "median_s": min(times), "minima": len(pairs)}


def cpu_row(frames: int, most_s: float = 60.0) -> dict[str, object]:
    """Seconds of one thread; where that is long, of the first frames, scaled by pairs."""
    local_minima(walking(1500), threshold_m=THRESHOLD_M, apart=30)
    measured = min(frames, 10_000)
    start = perf_counter()
    pairs, _ = local_minima(walking(measured), threshold_m=THRESHOLD_M, apart=30)
    seconds = perf_counter() - start
    if measured < frames and seconds * (frames / measured) ** 2 <= most_s:
        return cpu_row_whole(frames)
    scaled = (frames / measured) ** 2
    return {
        "case": f"{frames} frames",
        "method": "processor, one thread",
        "median_s": seconds * scaled,
        "minima": int(len(pairs) * scaled),
        "extrapolated": measured < frames,
    }


def cpu_row_whole(frames: int) -> dict[str, object]:
    start = perf_counter()
    pairs, _ = local_minima(walking(frames), threshold_m=THRESHOLD_M, apart=30)
    return {
        "case": f"{frames} frames",
        "method": "processor, one thread",
        "median_s": perf_counter() - start,
        "minima": len(pairs),
    }


def bench(motion: Path | None, *, quick: bool) -> list[dict[str, object]]:
    """Every row; without a card only the processor's."""
    sizes = (3_000,) if quick else (10_000, 100_000)
    devices = () if gpu_fault() else ("cuda",)
    return [row for frames in sizes for row in (cpu_row(frames), *(gpu_row(frames, one) for one in devices))]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suites.gpu_image", description=__doc__)
    parser.add_argument("--frames", default="10000,100000")
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu", "none"])
    parser.add_argument("--without-processor", action="store_true")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    rows = []
    for frames in (int(part) for part in arguments.frames.split(",")):
        if not arguments.without_processor:
            rows.append(cpu_row(frames))
        if arguments.device != "none":
            rows.append(gpu_row(frames, arguments.device))
        print(rows[-2:], flush=True)
    document = {"suite": "gpu_image", "machine": machine(), "versions": versions(), "rows": rows}
    if arguments.output:
        arguments.output.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
