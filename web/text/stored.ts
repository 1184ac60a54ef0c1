/** Reads a setting of this browser. Returns null if there is none, or if the browser blocks storage. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** Saves or, given null, deletes a setting of this browser. Without storage, it lasts until the page is closed. */
export function store(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    // The browser blocks storage, or it is full.
  }
}

/** Begins the names of what belongs to the user, not to the browser. A sign-out deletes all of it. */
export const PERSONAL = 'user.'

export function deletePersonal(): void {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PERSONAL))
    for (const name of names) localStorage.removeItem(name)
  } catch {
    // The browser blocks storage.
  }
}
