// Cancels the renewal of a plan by email link. The token is in the URL fragment, which only this page reads and sends
// to the service.
const WORDS = {
  en: {
    title: 'Cancel renewal',
    renews: (plan, amount, date) => `Your plan ${plan} renews on ${date}, for ${amount} before tax.`,
    past_due: (plan, amount, date) =>
      `The payment for your plan ${plan} did not go through. The charge of ${amount} before tax may be retried until ${date}.`,
    paused: (plan, amount) =>
      `The renewal of your plan ${plan} is paused. If it resumes, ${amount} is charged, before tax.`,
    ended: (plan, date) =>
      `Your plan ${plan} does not renew. It runs until ${date}, and nothing more is charged.`,
    unknown: 'This link is not valid. Check that you copied the whole URL.',
    failed: 'The service could not be reached. Try again later.',
  },
  uk: {
    title: 'Скасувати поновлення',
    renews: (plan, amount, date) => `Ваш тариф ${plan} поновиться ${date}, сума без податку: ${amount}.`,
    past_due: (plan, amount, date) =>
      `Платіж за тариф ${plan} не пройшов. Спробу списати ${amount} без податку можуть повторювати до такої дати: ${date}.`,
    paused: (plan, amount) =>
      `Поновлення тарифу ${plan} призупинено. Якщо воно відновиться, буде списано ${amount} без податку.`,
    ended: (plan, date) =>
      `Ваш тариф ${plan} не поновлюється. Він діє до такої дати: ${date}. Більше нічого не буде списано.`,
    unknown: 'Це посилання не працює. Перевірте, чи скопійовано всю адресу.',
    failed: 'Не вдалося зв’язатися із сервісом. Спробуйте пізніше.',
  },
  ru: {
    title: 'Отменить продление',
    renews: (plan, amount, date) => `Ваш тариф ${plan} продлится ${date}, сумма без налога: ${amount}.`,
    past_due: (plan, amount, date) =>
      `Платёж за тариф ${plan} не прошёл. Попытку списать ${amount} без налога могут повторять до такой даты: ${date}.`,
    paused: (plan, amount) =>
      `Продление тарифа ${plan} приостановлено. Если оно возобновится, будет списано ${amount} без налога.`,
    ended: (plan, date) =>
      `Ваш тариф ${plan} не продлевается. Он действует до такой даты: ${date}. Больше ничего не будет списано.`,
    unknown: 'Эта ссылка не работает. Проверьте, скопирован ли весь адрес.',
    failed: 'Не удалось связаться с сервисом. Попробуйте позже.',
  },
}

const wanted = new URL(location.href).searchParams.get('lang') ?? ''
const locale = Object.hasOwn(WORDS, wanted) ? wanted : 'en'
const words = WORDS[locale]
const path = `/api/v1/billing/renewals/${encodeURIComponent(location.hash.slice(1))}`

const byId = (id) => document.getElementById(id)
const formatDate = (time) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time))
const formatMoney = (cents, currency) =>
  new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'code' }).format(cents / 100)

function show(text, canCancel) {
  byId('text').textContent = text
  byId('actions').hidden = !canCancel
}

function showRenewal({
  can_cancel,
  plan_name,
  renewal_status,
  renewal_amount_cents,
  renewal_currency,
  renews_at,
  grace_until,
  period_end,
}) {
  if (!can_cancel) return show(words.ended(plan_name, formatDate(period_end)), false)
  const amount = formatMoney(renewal_amount_cents, renewal_currency)
  const write = { past_due: words.past_due, paused: words.paused }[renewal_status] ?? words.renews
  const date = renewal_status === 'past_due' ? grace_until : renews_at
  show(write(plan_name, amount, formatDate(date)), true)
}

async function ask(method, address) {
  try {
    const response = await fetch(address, { method })
    if (response.ok) showRenewal(await response.json())
    else show(response.status === 404 ? words.unknown : words.failed, false)
  } catch {
    show(words.failed, false)
  }
}

document.documentElement.lang = locale
document.title = words.title
byId('title').textContent = words.title
byId('cancel').textContent = words.title
byId('cancel').addEventListener('click', () => ask('POST', `${path}/cancel`))
ask('GET', path)
