const NAME = 'reloaded_at'
const PAUSE_MS = 60_000

// A deployment deletes the scripts of the one before. A page that was open since then and needs one starts over, but
// not in a loop, and not while a connection is missing instead.
addEventListener('vite:preloadError', () => {
  const last_ms = Number(sessionStorage.getItem(NAME))
  if (!navigator.onLine || Date.now() - last_ms < PAUSE_MS) return
  sessionStorage.setItem(NAME, String(Date.now()))
  location.reload()
})
