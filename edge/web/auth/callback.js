// Finishes a sign-in at the identity provider: exchanges its code for a session, or links the identity to the account
// of this tab's session. Removes the code from the URL at once, to keep it out of the history. The session is stored
// in this tab only.
const parameters = new URL(location.href).searchParams
history.replaceState(null, '', location.pathname)
const [code, state] = [parameters.get('code'), parameters.get('state')]
// Read before the state is consumed. It cannot be forged, since the service compares the whole state.
const isLinking = state?.startsWith('link.') ?? false

/** Keyed by error code only, since an attacker could put any text into the URL. */
const REASONS = {
  access_denied: 'You did not allow the identity provider to share your identity.',
  temporarily_unavailable: 'The identity provider is temporarily unavailable. Try again later.',
  server_error: 'The identity provider reported an error. Try again later.',
}

const show = (title, text) => {
  document.title = title
  document.getElementById('title').textContent = title
  document.getElementById('text').textContent = text
}

const showFailure = (reason) =>
  show(isLinking ? 'The identity was not linked' : 'You are not signed in', reason)

function showSession(title, text, token) {
  show(title, text)
  document.getElementById('actions').hidden = false
  document.getElementById('copy').addEventListener('click', () => navigator.clipboard.writeText(token))
}

const bearer = (token) => ({ authorization: `Bearer ${token}` })

/** Forwards the provider's response. @returns null after showing an error. */
async function finish(path, headers) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ code, state }),
  })
  const answer = await response.json()
  if (response.ok) return answer
  const { detail } = answer
  showFailure(
    typeof detail === 'string' ? detail : (detail?.message ?? 'The response is invalid. Try again.'),
  )
  return null
}

/** Redirects to the requested page, if any. @returns whether it did. */
function goOn({ next }) {
  if (next === '/') return false
  location.replace(next)
  return true
}

async function signIn() {
  const answer = await finish('/api/v1/auth/idp/callback', {})
  if (answer === null) return
  sessionStorage.setItem('access_token', answer.access_token)
  if (goOn(answer)) return
  const title = answer.created ? 'Welcome' : 'You are signed in'
  showSession(title, `This tab is signed in as ${answer.user.email}.`, answer.access_token)
}

async function link(token) {
  if (token === null)
    return showFailure('This tab is not signed in. Sign in first, then link the identity again.')
  const account = await finish('/api/v1/auth/idp/link', bearer(token))
  if (account === null || goOn(account)) return
  show('The identity is linked', `You can now sign in to ${account.email} with the identity provider.`)
}

/** Shows the current session, for example after a reload. */
async function tellSession(token) {
  const response = token === null ? null : await fetch('/api/v1/auth/me', { headers: bearer(token) })
  if (!response?.ok) return showFailure('Start the sign-in again.')
  const { email } = await response.json()
  showSession('You are signed in', `This tab is signed in as ${email}.`, token)
}

function end() {
  const token = sessionStorage.getItem('access_token')
  const error = parameters.get('error')
  if (error !== null) {
    return showFailure(
      Object.hasOwn(REASONS, error)
        ? REASONS[error]
        : 'The identity provider rejected the sign-in. Start again.',
    )
  }
  if (!code || !state) return tellSession(token)
  return isLinking ? link(token) : signIn()
}

Promise.resolve()
  .then(end)
  .catch(() => showFailure('The service could not be reached. Try again.'))
