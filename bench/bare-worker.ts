/** Reference Worker for `ping`: it only returns JSON. */
export default {
  fetch: () => Response.json({ ok: true }),
}
