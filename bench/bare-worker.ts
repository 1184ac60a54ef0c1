/** The Worker that the edge is measured against: it answers JSON and does nothing else. */
export default {
  fetch: () => Response.json({ ok: true }),
}
