// Sets a new password by email link. The token is in the URL fragment, which only this page reads and sends to the
// service. The session is stored in this tab only.
const WORDS = {
  en: {
    title: 'Set a new password',
    label: 'New password',
    hint: '8 to 256 characters.',
    reveal: 'Show the password',
    submit: 'Set the password',
    done: (email) => `The password of ${email} is set, and this tab is signed in.`,
    weak: 'This password is too common. Choose a different one.',
    unusable:
      'This link is unknown, was already used, or has expired. Request a new one on the sign-in page.',
    blocked: 'The account is blocked. Contact support.',
    busy: 'Too many attempts. Wait a minute and try again.',
    failed: 'The service could not be reached. Try again later.',
  },
  uk: {
    title: 'Новий пароль',
    label: 'Новий пароль',
    hint: 'Від 8 до 256 символів.',
    reveal: 'Показати пароль',
    submit: 'Встановити пароль',
    done: (email) => `Пароль для ${email} встановлено. У цій вкладці ви вже увійшли.`,
    weak: 'Цей пароль надто поширений. Виберіть інший.',
    unusable: 'Посилання невідоме, вже використане або застаріле. Попросіть нове на сторінці входу.',
    blocked: 'Обліковий запис заблоковано. Зверніться до підтримки.',
    busy: 'Забагато спроб. Зачекайте хвилину й спробуйте ще раз.',
    failed: 'Не вдалося зв’язатися із сервісом. Спробуйте пізніше.',
  },
  ru: {
    title: 'Новый пароль',
    label: 'Новый пароль',
    hint: 'От 8 до 256 символов.',
    reveal: 'Показать пароль',
    submit: 'Установить пароль',
    done: (email) => `Пароль для ${email} установлен. В этой вкладке вы уже вошли.`,
    weak: 'Этот пароль слишком распространён. Выберите другой.',
    unusable: 'Ссылка неизвестна, уже использована или устарела. Запросите новую на странице входа.',
    blocked: 'Аккаунт заблокирован. Обратитесь в поддержку.',
    busy: 'Слишком много попыток. Подождите минуту и попробуйте снова.',
    failed: 'Не удалось связаться с сервисом. Попробуйте позже.',
  },
}

const wanted = new URL(location.href).searchParams.get('lang') ?? ''
const locale = Object.hasOwn(WORDS, wanted) ? wanted : 'en'
const words = WORDS[locale]
const token = location.hash.slice(1)

const byId = (id) => document.getElementById(id)

function show(text, { open }) {
  byId('text').textContent = text
  byId('form').hidden = !open
}

/** Codes after which another password can be tried. */
const FAULTS = { 422: words.weak, 429: words.busy }
const ENDINGS = { password_reset_link_invalid: words.unusable, account_blocked: words.blocked }

async function setPassword(new_password) {
  const response = await fetch('/api/v1/auth/password/reset', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, new_password }),
  })
  const answer = await response.json()
  if (response.ok) {
    sessionStorage.setItem('access_token', answer.access_token)
    // The token is used up. Keeps it out of the history.
    history.replaceState(null, '', location.pathname + location.search)
    return show(words.done(answer.user.email), { open: false })
  }
  const ending = ENDINGS[answer.code]
  show(ending ?? FAULTS[response.status] ?? words.failed, { open: ending === undefined })
}

document.documentElement.lang = locale
document.title = words.title
for (const id of ['title', 'label', 'hint', 'submit']) byId(id).textContent = words[id]
byId('reveal-label').textContent = words.reveal
byId('reveal').addEventListener('change', ({ target }) => {
  byId('password').type = target.checked ? 'text' : 'password'
})
byId('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  byId('submit').disabled = true
  await setPassword(byId('password').value).catch(() => show(words.failed, { open: true }))
  byId('submit').disabled = false
})
if (token === '') show(words.unusable, { open: false })
else show('', { open: true })
addEventListener('hashchange', () => location.reload())
