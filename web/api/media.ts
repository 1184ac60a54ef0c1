import { computed } from '@preact/signals'
import { QueryClient } from '@tanstack/preact-query'
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
  // The session was ended elsewhere, or has expired.
  if (response.status === 401 && token !== undefined && token === session.value?.access_token) endSession()
  return response
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
  },
  uk: {
    network_error: 'Не вдалося зв’язатися із сервісом. Перевірте з’єднання і спробуйте ще раз.',
    timeout: 'Сервіс не відповів вчасно. Спробуйте ще раз.',
    invalid_response: 'Відповідь пошкоджена. Оновіть сторінку і спробуйте ще раз.',
    wrong_current_password: 'Поточний пароль неправильний. Перевірте його і спробуйте ще раз.',
    current_password_required: 'Введіть поточний пароль.',
    captcha_required: 'Підтвердьте, що ви не робот.',
  },
  ru: {
    network_error: 'Не удалось связаться с сервисом. Проверьте соединение и попробуйте ещё раз.',
    timeout: 'Сервис не ответил вовремя. Попробуйте ещё раз.',
    invalid_response: 'Ответ повреждён. Обновите страницу и попробуйте ещё раз.',
    wrong_current_password: 'Текущий пароль неверен. Проверьте его и попробуйте ещё раз.',
    current_password_required: 'Введите текущий пароль.',
    captcha_required: 'Подтвердите, что вы не робот.',
  },
})

/**
 * Returns what to show for an error: the sentence of the service in the language of the page, or one of this page where
 * the service speaks to programs. `help` of the API is advice for developers, so pages do not show it.
 */
export function describeError(error: unknown): { message: string; help: string | null } {
  if (!(error instanceof MediaError)) {
    return { message: error instanceof Error ? error.message : String(error), help: null }
  }
  const own: Partial<Record<string, string>> = texts()
  const faults = Object.values(faultsByField(error))
  return { message: own[error.code] ?? (faults.join(' ') || error.message), help: null }
}
