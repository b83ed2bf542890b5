// Small pieces of page.

type Child = Node | string | null | false;

interface Fields {
  class?: string;
  key?: string;
  title?: string;
  label?: string;
  on?: Partial<{ [K in keyof HTMLElementEventMap]: (event: HTMLElementEventMap[K]) => void }>;
  attributes?: Record<string, string>;
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  fields: Fields = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (fields.class) element.className = fields.class;
  if (fields.key) element.dataset["key"] = fields.key;
  if (fields.title) element.title = fields.title;
  if (fields.label) element.setAttribute("aria-label", fields.label);
  for (const [name, value] of Object.entries(fields.attributes ?? {})) element.setAttribute(name, value);
  for (const [name, listener] of Object.entries(fields.on ?? {}))
    element.addEventListener(name, listener as EventListener);
  for (const child of children) if (child) element.append(child);
  return element;
}

// Put new content into a place; whatever was being typed into keeps the keyboard and the text.
export function refill(host: HTMLElement, ...children: Child[]): void {
  const active = document.activeElement;
  const key = active instanceof HTMLElement && host.contains(active) ? active.dataset["key"] : undefined;
  const typed = active instanceof HTMLInputElement && active.type !== "checkbox" && active.type !== "range";
  const text = typed ? active.value : "";
  const scroll = host.scrollTop;
  host.replaceChildren(...children.filter((child): child is Node | string => Boolean(child)));
  host.scrollTop = scroll;
  if (!key) return;
  const again = host.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  if (again instanceof HTMLInputElement && typed) again.value = text;
  again?.focus({ preventScroll: true });
}

export function button(text: string, click: () => void, fields: Fields & { pressed?: boolean; off?: boolean } = {}) {
  const { pressed, off, ...rest } = fields;
  // Panels are filled anew with every state; a key lets the keyboard stay where it was.
  const key = rest.key ?? `button ${rest.label ?? text}`;
  const made = h("button", { ...rest, key, on: { click, ...rest.on } }, text);
  made.type = "button";
  if (pressed !== undefined) made.setAttribute("aria-pressed", String(pressed));
  if (off) made.disabled = true;
  return made;
}

export function numberField(
  label: string,
  value: number,
  change: (value: number) => void,
  { unit = "m", step = 0.1, key = label }: { unit?: string; step?: number; key?: string } = {},
): HTMLElement {
  const input = h("input", { key, label: unit ? `${label} [${unit}]` : label });
  input.type = "number";
  input.step = String(step);
  input.value = String(Number(value.toFixed(3)));
  input.addEventListener("change", () => {
    const given = input.valueAsNumber;
    if (Number.isFinite(given)) change(given);
  });
  return h("label", { class: "field" }, h("span", {}, label), input, h("span", { class: "unit" }, unit));
}

export function choice<Value extends string>(
  label: string,
  value: string,
  options: { value: Value; text: string }[],
  change: (value: Value) => void,
): HTMLElement {
  const select = h("select", { key: label, label });
  for (const option of options) {
    const made = h("option", {}, option.text);
    made.value = option.value;
    made.selected = option.value === value;
    select.append(made);
  }
  select.addEventListener("change", () => change(select.value as Value));
  return h("label", { class: "field" }, h("span", {}, label), select);
}

export function section(title: string, ...children: Child[]): HTMLElement {
  return h("section", {}, h("h2", {}, title), ...children);
}
