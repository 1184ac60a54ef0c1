/** Attributes of a region that scrolls: the keyboard scrolls what has the focus. It needs a label, too. */
export const SCROLLABLE = { tabIndex: 0, role: 'region' } as const
