"""The studio by keyboard alone, by fingers on a tablet, and as a film."""

from __future__ import annotations

import pytest

from studio.driven import Page, Server

pytest.importorskip("uvicorn", reason="needs the extra studio")

#: What a control is called.
_NAME = """(one) => one.getAttribute("aria-label") || one.textContent.trim()
    || one.closest("label")?.textContent.trim() || ''"""
#: Names of all controls that are there to be used.
_CONTROLS = f"""() => [...document.querySelectorAll("button, input, select, canvas")]
    .filter((one) => !one.disabled && one.getClientRects().length && !one.closest("dialog")).map({_NAME})"""
#: The control that has the keyboard, and whether that is seen.
_FOCUSED = f"""() => {{
    const style = getComputedStyle(document.activeElement);
    const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
    return {{ name: ({_NAME})(document.activeElement), ring }};
}}"""


def test_every_control_has_a_name_and_the_keyboard_reaches_it(page: Page):
    page.open("A walk through a room")
    for mode in ("walk", "limbs", "postures", "interaction", "tasks"):
        page.tab.keyboard.press(str(1 + ("walk", "limbs", "postures", "interaction", "tasks").index(mode)))
        page.until(f"studio.state.mode === '{mode}'")
        page.tab.evaluate("document.activeElement.blur()")
        page.tab.wait_for_timeout(300)
        wanted = page.tab.evaluate(_CONTROLS)
        assert len(wanted) > 20 and "" not in wanted, f"every control of {mode} has a name"
        reached: list[dict] = []
        for _ in range(len(wanted) + 10):
            page.tab.keyboard.press("Tab")
            reached.append(page.tab.evaluate(_FOCUSED))
        assert sorted(set(wanted) - {one["name"] for one in reached}) == [], f"Tab goes everywhere in {mode}"
        assert [one["name"] for one in reached if one["name"] in wanted and not one["ring"]] == [], "focus is seen"


def test_everything_is_done_by_keyboard_and_the_focus_stays(page: Page, tmp_path):
    tab = page.tab
    tab.keyboard.press("Escape")
    page.press("[data-key=start]")
    tab.wait_for_selector("dialog[open] .card")
    before = tab.evaluate("studio.state.serial")
    page.press(".card:has-text('A walk through a room')")
    page.until(f"studio.state.serial > {before} && studio.shown === studio.state.serial")
    assert page.do(lambda: page.press("text=Goal 3 m ahead")) == "verified"
    tab.focus("[data-key='Goal x']")
    tab.keyboard.press("Control+a")
    tab.keyboard.type("1.2")
    assert page.do(lambda: tab.keyboard.press("Enter")) == "verified"
    assert tab.evaluate("studio.state.settings.walk.aims.anna.goal[0]") == 1.2
    assert tab.evaluate("document.activeElement.dataset.key") == "Goal x"
    page.do(lambda: page.press("[data-key='add box']"))
    assert tab.evaluate("document.activeElement.dataset.key") == "add box", "the focus stays through a new state"
    page.press("[data-key='pick box']")
    page.do(lambda: tab.keyboard.press("x"))
    assert not tab.evaluate("studio.state.things.some(one => one.name === 'box')")
    tab.focus("canvas")
    seen = tab.evaluate("studio.stage.camera.position.toArray()")
    tab.keyboard.press("Shift+ArrowLeft")
    tab.keyboard.press("+")
    assert tab.evaluate("studio.stage.camera.position.toArray()") != seen, "the view turns and comes closer"
    tab.keyboard.press("ArrowRight")
    assert tab.evaluate("studio.clock.time") > 0
    tab.keyboard.press(" ")
    assert tab.evaluate("studio.clock.playing")
    tab.keyboard.press(" ")
    page.press("[data-key=export]")
    tab.keyboard.press("Escape")
    assert tab.evaluate("document.activeElement.dataset.key") == "export"
    with tab.expect_download(timeout=600_000):
        tab.keyboard.press("Control+e")
    tab.keyboard.press("Control+z")


def test_a_video_of_the_walk_is_exported(page: Page, tmp_path):
    page.open("A walk through a room")
    aim = "studio.edit('walk.aim', { character: 'anna', goal: [0.6, 1.2] })"
    assert page.do(lambda: page.tab.evaluate(aim)) == "verified"
    seconds = page.tab.evaluate("(({ frames, fps }) => (frames - 1) / fps)(studio.state.people[0].clip)")
    path = page.export("mp4", tmp_path, seconds=300)
    import av

    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        pictures = [frame.to_ndarray(format="rgb24") for frame in film.decode(stream)]
        rate = float(stream.average_rate)
    assert len(pictures) / rate == pytest.approx(seconds, abs=0.3), "it lasts as long as the walk"
    assert min(pictures[0].shape[:2]) >= 240
    assert abs(pictures[0].astype(float) - pictures[len(pictures) // 2]).mean() > 0.2, "somebody moves in it"


def test_fingers_on_a_tablet(browser, server: Server):
    page = Page(browser, server.address, viewport={"width": 1024, "height": 768}, has_touch=True, is_mobile=True)
    page.open("A walk through a room")
    assert page.do(lambda: page.tab.touchscreen.tap(*page.pixels(1.0, 0.0, 3.0))) == "verified"
    page.tab.wait_for_timeout(400)
    goal = page.pixels(*page.tab.evaluate("studio.stage.knobs.find('goal').at"))
    camera = page.tab.evaluate("studio.stage.camera.position.toArray()")
    assert page.do(lambda: page.touch_drag(goal, page.pixels(1.4, 0.0, 4.0))) == "verified"
    aim = page.tab.evaluate("studio.state.settings.walk.aims.anna.goal")
    assert aim == pytest.approx([1.4, 4.0], abs=0.4), "a finger holds a knob less exactly than a mouse"
    assert page.tab.evaluate("studio.stage.camera.position.toArray()") == camera, (
        "the view stays while a knob is dragged"
    )
    page.tab.tap("[data-key='add points']")
    assert page.do(lambda: page.tab.touchscreen.tap(*page.pixels(0.6, 0.0, 1.6))) in ("verified", "rejected", "failed")
    assert len(page.tab.evaluate("studio.state.settings.walk.aims.anna.via")) == 1, "a tap adds a point on the way"
    page.tab.tap("[data-key='add points']")
    empty = [200.0, 120.0]
    page.touch_drag(empty, [300.0, 140.0])
    assert page.tab.evaluate("studio.stage.camera.position.toArray()") != camera, "one finger turns the view"
    lane = page.tab.locator(".lane").nth(1).bounding_box()
    page.touch_drag([lane["x"] + 20, lane["y"] + 6], [lane["x"] + lane["width"] / 2, lane["y"] + 6])
    share = page.tab.evaluate("studio.clock.time / studio.clock.end")
    assert share == pytest.approx(0.5, abs=0.05), "a finger scrubs"
    small = page.tab.evaluate(
        """() => [...document.querySelectorAll(".top button, .inspector button, .outliner button, .transport button")]
            .map((one) => [one.textContent, one.getBoundingClientRect()])
            .filter(([, box]) => box.width > 0 && (box.height < 34 || box.right > innerWidth + 1))
            .map(([text]) => text)"""
    )
    assert small == [], "buttons are large enough for fingers and in view"
    page.close()
    assert page.faults == []
