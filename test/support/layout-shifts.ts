/** Collects what moved on the page by how much, as browsers measure it (Cumulative Layout Shift). */
export const OBSERVE_SHIFTS = `globalThis.shifts = []
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) shifts.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80))])
}).observe({ type: 'layout-shift', buffered: true })`
