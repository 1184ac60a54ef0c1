// Ends a sign-in at the identity provider: trades its code for a session. The address is cleaned at once, so
// that the code stays in no history; the session stays in this tab alone.
const parameters = new URL(location.href).searchParams
history.replaceState(null, '', location.pathname)

const show = (title, text) => {
  document.getElementById('title').textContent = title
  document.getElementById('text').textContent = text
}

async function signIn() {
  const [code, state] = [parameters.get('code'), parameters.get('state')]
  if (!code || !state) {
    const reason = parameters.get('error_description') ?? parameters.get('error')
    return show('You are not signed in', reason ?? 'Begin the sign-in again from where you came.')
  }
  const response = await fetch('/api/v1/auth/idp/callback', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, state }),
  })
  const answer = await response.json()
  if (!response.ok) {
    const { detail } = answer
    const reason = typeof detail === 'string' ? detail : (detail?.message ?? 'the answer was not understood')
    return show('You are not signed in', reason)
  }
  sessionStorage.setItem('access_token', answer.access_token)
  if (answer.next && answer.next !== '/') return location.replace(answer.next)
  show(answer.created ? 'Welcome' : 'You are signed in', `This tab is signed in as ${answer.user.email}.`)
  document.getElementById('actions').hidden = false
  document.getElementById('copy').addEventListener('click', () => {
    navigator.clipboard.writeText(answer.access_token)
  })
}

signIn().catch(() => show('You are not signed in', 'The service could not be reached. Try again.'))
