import { computed, signal } from '@preact/signals'
import { QueryClient } from '@tanstack/preact-query'
import { parseRetryAfter } from '../../client/src/error.ts'
import { Media, MediaError } from '../../client/src/index.ts'
import { type Call, Transport } from '../../client/src/transport.ts'
import { defineTexts } from '../text/define-texts.ts'
import { locale } from '../text/locale.ts'
import { faultsByField } from './faults.ts'
import { anonymous_id, endSession, session } from './session.ts'

/** Client of the service, with the credential and the language of the page. */
export const media = computed(
  () =>
    new Media({
      apiUrl: location.origin,
      ...(session.value !== null && { apiKey: session.value.access_token }),
      fetch: fetchFromService,
    }),
)

const transport = computed(
  () =>
    new Transport({
      apiUrl: location.origin,
      apiKey: session.value?.access_token,
      language: locale.value,
      maxRetries: 2,
      maxWaitMs: 10_000,
      timeoutMs: 60_000,
      fetch: fetchFromService,
    }),
)

/** Calls an endpoint that the client leaves out, because only pages of the service need it. */
export function callService<Body>(call: Call): Promise<Body> {
  return transport.value.request<Body>(call)
}

/** Adds the language and the anonymous id to requests to the service, but not to those to storage. */
async function fetchFromService(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input, location.href)
  if (url.origin !== location.origin || !url.pathname.startsWith('/api/')) return fetch(input, init)
  const headers = new Headers(init.headers)
  headers.set('accept-language', locale.value)
  // Also sent with a session: uploads and results from before the sign-in stay with the id.
  headers.set('x-anonymous-id', anonymous_id)
  const token = session.value?.access_token
  const response = await fetch(url, { ...init, headers })
  if (response.status === 429) noteThrottle(response)
  // The session was ended elsewhere, or has expired.
  if (response.status === 401 && token !== undefined && token === session.value?.access_token) endSession()
  return response
}

/** Longer waits are for limits per day, which the client does not wait for. */
const THROTTLE_S_MAX = 120

/** Until when the client waits silently because of a limit of requests; null if none was reached. */
export const throttled_until_ms = signal<number | null>(null)

function noteThrottle(response: Response): void {
  const seconds = parseRetryAfter(response.headers.get('retry-after'))
  if (seconds === undefined || seconds > THROTTLE_S_MAX) return
  throttled_until_ms.value = Math.max(throttled_until_ms.value ?? 0, Date.now() + seconds * 1000)
}

/** Cache of what the page has read. The client itself retries requests. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, retry: false, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
})

// What one user has read must not be shown to the next.
session.subscribe(() => queries.clear())

const texts = defineTexts({
  en: {
    network_error: 'The service could not be reached. Check your connection and try again.',
    timeout: 'The service did not respond in time. Try again.',
    invalid_response: 'The response is damaged. Reload the page and try again.',
    wrong_current_password: 'The current password is wrong. Check it and try again.',
    current_password_required: 'Enter your current password.',
    captcha_required: 'Confirm that you are not a robot.',
    insufficient_credits: 'You do not have enough bonuses.',
    invalid_link: 'This link cannot be used. Enter a public link that starts with https:// or http://.',
  },
  uk: {
    network_error: 'Не вдалося зв’язатися із сервісом. Перевірте з’єднання і спробуйте ще раз.',
    timeout: 'Сервіс не відповів вчасно. Спробуйте ще раз.',
    invalid_response: 'Відповідь пошкоджена. Оновіть сторінку і спробуйте ще раз.',
    wrong_current_password: 'Поточний пароль неправильний. Перевірте його і спробуйте ще раз.',
    current_password_required: 'Введіть поточний пароль.',
    captcha_required: 'Підтвердьте, що ви не робот.',
    insufficient_credits: 'Недостатньо бонусів.',
    invalid_link:
      'Це посилання не підходить. Введіть загальнодоступне посилання, що починається з https:// або http://.',
  },
  ru: {
    network_error: 'Не удалось связаться с сервисом. Проверьте соединение и попробуйте еще раз.',
    timeout: 'Сервис не ответил вовремя. Попробуйте еще раз.',
    invalid_response: 'Ответ поврежден. Обновите страницу и попробуйте еще раз.',
    wrong_current_password: 'Текущий пароль неверен. Проверьте его и попробуйте еще раз.',
    current_password_required: 'Введите текущий пароль.',
    captcha_required: 'Подтвердите, что вы не робот.',
    insufficient_credits: 'Недостаточно бонусов.',
    invalid_link:
      'Эта ссылка не подходит. Введите общедоступную ссылку, которая начинается с https:// или http://.',
  },
})

/** Errors whose sentence the contract fixes, so that only `help` says what to do. */
const ADVISED: readonly string[] = ['insufficient_credits', 'upload_link_unpaid']

/**
 * Returns what to show for an error: the sentence of the service in the language of the page, or one of this page where
 * the service speaks to programs. `help` of the API is advice for developers, except where its sentence has none.
 */
export function describeError(error: unknown): { message: string; help: string | null } {
  if (!(error instanceof MediaError)) {
    return { message: error instanceof Error ? error.message : String(error), help: null }
  }
  const own: Partial<Record<string, string>> = texts()
  const faults = Object.values(faultsByField(error))
  const help = ADVISED.includes(error.code) ? (error.help ?? null) : null
  // The studio asks for the link itself, so no field bears the name of this parameter.
  const isLink = error.code === 'invalid_file_url' && error.param === 'params.url'
  const key = isLink ? 'invalid_link' : error.code
  return { message: own[key] ?? (faults.join(' ') || error.message), help }
}
