// A page that holds what it shows, as notebooks embed it: no server, nothing to edit.

import type { State } from "./protocol";

interface Embedded {
  state: State;
  // Blocks by name, in base64.
  assets: Record<string, string>;
}

declare global {
  interface Window {
    understudyEmbedded?: Embedded;
  }
}

export const embedded: Embedded | undefined = window.understudyEmbedded;

export function embeddedBlock(name: string): ArrayBuffer | undefined {
  const text = embedded?.assets[name];
  return text === undefined ? undefined : Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
}

// What a browser remembers between visits; nothing where it may not.
export const memory = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(key: string, value: string): void {
    try {
      localStorage.setItem(key, value);
    } catch {
      // A frame without an origin has no storage; it simply forgets.
    }
  },
};
