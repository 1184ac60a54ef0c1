import type { Locale } from '../../shared/text/texts.ts'
import type { Deps } from '../deps.ts'
import { pickLocale } from '../platform/http/rules/locale.ts'
import { pagePolicy } from '../platform/http/security-headers.ts'
import { endSubscription, findByToken } from './queries.ts'
import { EMAIL_TOPICS, type EmailTopic } from './rules/preferences.ts'

interface Words {
  title: string
  question: Record<EmailTopic, string>
  button: string
  ended: string
  unknown: string
}

const WORDS: Record<Locale, Words> = {
  en: {
    title: 'Unsubscribe',
    question: { jobs: 'Stop emails about your finished jobs?', news: 'Stop emails with product news?' },
    button: 'Unsubscribe',
    ended: 'You are unsubscribed. You will not receive these emails again.',
    unknown: 'This link is not valid. Check that you copied the whole URL.',
  },
  uk: {
    title: 'Відписатися',
    question: {
      jobs: 'Більше не надсилати листи про завершені завдання?',
      news: 'Більше не надсилати новини?',
    },
    button: 'Відписатися',
    ended: 'Ви відписалися. Таких листів більше не буде.',
    unknown: 'Посилання недійсне. Перевірте, чи скопійовано його повністю.',
  },
  ru: {
    title: 'Отписаться',
    question: {
      jobs: 'Больше не присылать письма о завершённых заданиях?',
      news: 'Больше не присылать новости?',
    },
    button: 'Отписаться',
    ended: 'Вы отписались. Таких писем больше не будет.',
    unknown: 'Ссылка недействительна. Проверьте, скопирована ли она целиком.',
  },
}

/**
 * Handles an unsubscribe link. GET only asks for confirmation, because mail scanners open links. POST unsubscribes,
 * whether it comes from the page or from a mail client's one-click button (RFC 8058).
 */
export async function answerUnsubscribe(deps: Deps, request: Request, token: string, topicName: string) {
  const locale = pickLocale(request.headers.get('accept-language'))
  const words = WORDS[locale]
  const topic = EMAIL_TOPICS.find((known) => known === topicName)
  // Looks up the token before writing, so guessed tokens cannot block writers.
  if (topic === undefined || (await findByToken(deps.db, token)) === undefined) {
    return answerPage(locale, `<p>${words.unknown}</p>`, 404)
  }
  if (request.method === 'POST') {
    await endSubscription(deps.db, token, topic)
    return answerPage(locale, `<p role="status">${words.ended}</p>`)
  }
  const form = `<form method="post"><button>${words.button}</button></form>`
  return answerPage(locale, `<p>${words.question[topic]}</p>${form}`)
}

function answerPage(locale: Locale, content: string, status = 200): Response {
  const { title } = WORDS[locale]
  const page = `<!doctype html>
<html lang="${locale}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${title}</title>
    <link rel="icon" href="/upload-link/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/pages.css">
  </head>
  <body><main><h1>${title}</h1>${content}</main></body>
</html>
`
  return new Response(page, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': pagePolicy({ 'form-action': "'self'" }),
      'cache-control': 'no-store',
    },
  })
}
