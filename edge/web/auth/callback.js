// Ends what was begun at the identity provider: trades its code for a session, or links the identity to the account
// of this tab's session. The address is cleaned at once, so that the code stays in no history; the session stays in
// this tab alone.
const parameters = new URL(location.href).searchParams
history.replaceState(null, '', location.pathname)
const [code, state] = [parameters.get('code'), parameters.get('state')]
// Told before the state is used up. Nobody can alter it: the service knows a state by the whole of it.
const isLinking = state?.startsWith('link.') ?? false

/** By the error's code alone: whoever makes the address could write any text beside it. */
const REASONS = {
  access_denied: 'The identity provider was not allowed to tell who you are.',
  temporarily_unavailable: 'The identity provider is too busy at the moment. Try again later.',
  server_error: 'The identity provider has failed. Try again later.',
}

const show = (title, text) => {
  document.getElementById('title').textContent = title
  document.getElementById('text').textContent = text
}

const showFailure = (reason) => show(isLinking ? 'Nothing is linked' : 'You are not signed in', reason)

function showSession(title, text, token) {
  show(title, text)
  document.getElementById('actions').hidden = false
  document.getElementById('copy').addEventListener('click', () => navigator.clipboard.writeText(token))
}

const bearer = (token) => ({ authorization: `Bearer ${token}` })

/** Sends the provider's answer on. @returns null where it was refused, which is shown. */
async function finish(path, headers) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ code, state }),
  })
  const answer = await response.json()
  if (response.ok) return answer
  const { detail } = answer
  showFailure(typeof detail === 'string' ? detail : (detail?.message ?? 'The answer was not understood.'))
  return null
}

/** @returns whether it leads to another page than this one. */
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
  show('The identity is linked', `You can sign in to ${account.email} by the identity provider from now on.`)
}

/** Nothing was brought, as when the page is loaded again. */
async function tellSession(token) {
  const response = token === null ? null : await fetch('/api/v1/auth/me', { headers: bearer(token) })
  if (!response?.ok) return showFailure('Begin the sign-in again from where you came.')
  const { email } = await response.json()
  showSession('You are signed in', `This tab is signed in as ${email}.`, token)
}

function end() {
  const token = sessionStorage.getItem('access_token')
  const error = parameters.get('error')
  if (error !== null) {
    return showFailure(
      Object.hasOwn(REASONS, error) ? REASONS[error] : 'The identity provider refused. Begin again.',
    )
  }
  if (!code || !state) return tellSession(token)
  return isLinking ? link(token) : signIn()
}

Promise.resolve()
  .then(end)
  .catch(() => showFailure('The service could not be reached. Try again.'))
