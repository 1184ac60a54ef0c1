import type { Texts } from '../../../../shared/text/texts.ts'
import { countText, didYouMean, listAny, sizeText, waitText } from '../../../../shared/text/words.ts'
import { type ErrorEntry, type InputFault, type Misspelled, type Wait, withFacts } from './entry.ts'

/** Maintenance message, unless an administrator set a different one. */
export const UNDER_MAINTENANCE: Texts = {
  en: 'The service is under maintenance. Try again later.',
  uk: 'Тривають технічні роботи. Спробуйте пізніше.',
  ru: 'Ведутся технические работы. Попробуйте позже.',
}

/** Advice that is more specific than the general help for the code. */
export const CREDENTIAL_HELP = {
  no_scheme: {
    en: 'The Authorization header has no Bearer scheme. Send Authorization: Bearer followed by a space and the key, or send the key in X-Api-Key.',
    uk: 'У заголовку Authorization немає схеми Bearer. Надішліть Authorization: Bearer, пробіл і ключ або надішліть ключ у X-Api-Key.',
    ru: 'В заголовке Authorization нет схемы Bearer. Отправьте Authorization: Bearer, пробел и ключ или отправьте ключ в X-Api-Key.',
  },
  not_a_key: {
    en: 'An API key starts with mk_. Check what was sent.',
    uk: 'Ключ API починається з mk_. Перевірте, що було надіслано.',
    ru: 'Ключ API начинается с mk_. Проверьте, что было отправлено.',
  },
  scheme_in_key: {
    en: 'X-Api-Key contains only the key. Remove the word Bearer, or send it in the Authorization header.',
    uk: 'X-Api-Key містить лише ключ. Вилучіть слово Bearer або надішліть його в заголовку Authorization.',
    ru: 'X-Api-Key содержит только ключ. Удалите слово Bearer или отправьте его в заголовке Authorization.',
  },
  paused: {
    en: 'This key is paused. Resume it in the list of keys, or use another.',
    uk: 'Цей ключ призупинено. Увімкніть його в списку ключів або скористайтеся іншим.',
    ru: 'Этот ключ приостановлен. Включите его в списке ключей или используйте другой.',
  },
  revoked: {
    en: 'An administrator revoked this key. Create another.',
    uk: 'Адміністратор відкликав цей ключ. Створіть інший.',
    ru: 'Администратор отозвал этот ключ. Создайте другой.',
  },
} satisfies Record<string, Texts>

/** What someone with an API key can do at an endpoint that requires a session. */
export function keyHelp(instead: string): Texts {
  return {
    en: `API keys do not work here. With a key, use ${instead}; otherwise sign in and send the access token as Authorization: Bearer.`,
    uk: `Ключі API тут не діють. Із ключем використайте ${instead}; інакше увійдіть і надішліть токен доступу як Authorization: Bearer.`,
    ru: `Ключи API здесь не действуют. С ключом используйте ${instead}; иначе войдите и отправьте токен доступа как Authorization: Bearer.`,
  }
}

export interface LimitFacts extends Wait {
  limit: number
  /** The counter: minute, day or key-day. */
  name: string
}

/** Errors that any endpoint can return. */
export const REQUEST_ERRORS = {
  missing_api_key: {
    status: 401,
    detail: { en: 'missing API key', uk: 'Немає ключа API.', ru: 'Нет ключа API.' },
    literal: true,
    help: {
      en: 'Send the key in the X-Api-Key header, or as Authorization: Bearer.',
      uk: 'Надішліть ключ у заголовку X-Api-Key або як Authorization: Bearer.',
      ru: 'Отправьте ключ в заголовке X-Api-Key или как Authorization: Bearer.',
    },
  },
  invalid_api_key: {
    status: 401,
    detail: { en: 'invalid API key', uk: 'Недійсний ключ API.', ru: 'Недействительный ключ API.' },
    literal: true,
    help: {
      en: 'Check that the key is complete, enabled and not deleted.',
      uk: 'Перевірте, чи ключ повний, увімкнений і не видалений.',
      ru: 'Проверьте, что ключ указан полностью, включен и не удален.',
    },
  },
  missing_bearer_token: {
    status: 401,
    detail: { en: 'missing bearer token', uk: 'Немає токена сеансу.', ru: 'Нет токена сеанса.' },
    literal: true,
    help: {
      en: 'Sign in and send the access token as Authorization: Bearer; API keys do not work here.',
      uk: 'Увійдіть і надішліть токен доступу як Authorization: Bearer; ключі API тут не діють.',
      ru: 'Войдите и отправьте токен доступа как Authorization: Bearer; ключи API здесь не действуют.',
    },
  },
  invalid_bearer_token: {
    status: 401,
    detail: {
      en: 'invalid bearer token',
      uk: 'Недійсний токен сеансу.',
      ru: 'Недействительный токен сеанса.',
    },
    literal: true,
    help: {
      en: 'Sign in again: the token is unknown, has expired, or its session has ended.',
      uk: 'Увійдіть ще раз: токен невідомий, строк його дії минув або сеанс завершено.',
      ru: 'Войдите снова: токен неизвестен, срок его действия истек или сеанс завершен.',
    },
  },
  invalid_signature: {
    status: 401,
    detail: {
      en: 'The signature is missing or invalid. Sign the exact body with the shared secret.',
      uk: 'Підпису немає або він недійсний. Підпишіть точне тіло запиту спільним секретом.',
      ru: 'Подпись отсутствует или недействительна. Подпишите точное тело запроса общим секретом.',
    },
    help: {
      en: 'Check the secret and the timestamp, and sign the exact bytes of the body.',
      uk: 'Перевірте секрет і позначку часу та підпишіть точні байти тіла запиту.',
      ru: 'Проверьте секрет и метку времени и подпишите точные байты тела запроса.',
    },
  },
  administrator_required: {
    status: 403,
    detail: {
      en: 'This action is for administrators only. Sign in as an administrator.',
      uk: 'Ця дія доступна лише адміністраторам. Увійдіть як адміністратор.',
      ru: 'Это действие доступно только администраторам. Войдите как администратор.',
    },
    help: {
      en: 'Sign in as an administrator.',
      uk: 'Увійдіть як адміністратор.',
      ru: 'Войдите как администратор.',
    },
  },
  not_found: withFacts({
    status: 404,
    detail: {
      en: ({ suggestion }: Misspelled) =>
        `There is no endpoint or page at this address. ${didYouMean('en', suggestion) || 'Check the path.'}`,
      uk: ({ suggestion }) =>
        `За цією адресою немає ні методу API, ні сторінки. ${didYouMean('uk', suggestion) || 'Перевірте шлях.'}`,
      ru: ({ suggestion }) =>
        `По этому адресу нет ни метода API, ни страницы. ${didYouMean('ru', suggestion) || 'Проверьте путь.'}`,
    },
    example: {},
    help: {
      en: 'Compare the path with the API reference.',
      uk: 'Порівняйте шлях із довідником API.',
      ru: 'Сверьте путь со справочником API.',
    },
  }),
  method_not_allowed: withFacts({
    status: 405,
    detail: {
      en: ({ method, allowed }: { method: string; allowed: readonly string[] }) =>
        `${method} is not allowed here. Use ${listAny('en', allowed)}.`,
      uk: ({ method, allowed }) =>
        `Метод ${method} тут не підтримується. Використайте ${listAny('uk', allowed)}.`,
      ru: ({ method, allowed }) =>
        `Метод ${method} здесь не поддерживается. Используйте ${listAny('ru', allowed)}.`,
    },
    example: { method: 'PUT', allowed: ['GET', 'POST'] },
    help: {
      en: 'Use a method from the Allow header.',
      uk: 'Використайте метод із заголовка Allow.',
      ru: 'Используйте метод из заголовка Allow.',
    },
  }),
  body_too_large: withFacts({
    status: 413,
    detail: {
      en: ({ bytes_max }: { bytes_max: number }) =>
        `The request body is larger than ${sizeText('en', bytes_max)}. Send files through an upload.`,
      uk: ({ bytes_max }) =>
        `Тіло запиту перевищує ${sizeText('uk', bytes_max)}. Файли надсилайте через завантаження.`,
      ru: ({ bytes_max }) =>
        `Тело запроса превышает ${sizeText('ru', bytes_max)}. Файлы отправляйте через загрузку.`,
    },
    example: { bytes_max: 1024 * 1024 },
    help: {
      en: 'Shorten the body, and send files through an upload.',
      uk: 'Скоротіть тіло запиту, а файли надсилайте через завантаження.',
      ru: 'Сократите тело запроса, а файлы отправляйте через загрузку.',
    },
  }),
  unsupported_media_type: {
    status: 415,
    detail: {
      en: 'The body must be JSON in UTF-8. Send it with Content-Type: application/json.',
      uk: 'Тіло запиту має бути у форматі JSON у кодуванні UTF-8. Надішліть його з Content-Type: application/json.',
      ru: 'Тело запроса должно быть в формате JSON в кодировке UTF-8. Отправьте его с Content-Type: application/json.',
    },
    help: {
      en: 'Set the Content-Type header.',
      uk: 'Укажіть заголовок Content-Type.',
      ru: 'Укажите заголовок Content-Type.',
    },
  },
  validation_failed: withFacts({
    status: 422,
    shape: 'faults',
    detail: {
      en: ({ faults }: { faults: readonly InputFault[] }) => faults.map(({ msg }) => msg.en).join(' '),
      uk: ({ faults }) => faults.map(({ msg }) => msg.uk).join(' '),
      ru: ({ faults }) => faults.map(({ msg }) => msg.ru).join(' '),
    },
    example: {
      faults: [
        {
          loc: ['body', 'email'],
          msg: {
            en: 'The email address is invalid.',
            uk: 'Адреса електронної пошти недійсна.',
            ru: 'Адрес электронной почты недействителен.',
          },
          type: 'invalid_email',
        },
      ],
    },
    help: {
      en: 'Correct each field in detail: loc names the field, and msg says what is valid.',
      uk: 'Виправте кожне поле з detail: loc указує на поле, а msg пояснює, що допустимо.',
      ru: 'Исправьте каждое поле из detail: loc указывает на поле, а msg объясняет, что допустимо.',
    },
  }),
  rate_limited: withFacts({
    status: 429,
    detail: {
      en: ({ limit, name, retry_after_seconds }: LimitFacts) => {
        const counter = name === 'minute' ? 'per-minute' : 'per-day'
        const scope = name === 'key-day' ? ' with this API key' : ''
        return `You reached the ${counter} limit of ${countText('en', limit, 'request')}${scope}. Try again ${waitText('en', retry_after_seconds)}.`
      },
      uk: ({ limit, name, retry_after_seconds }) => {
        const period = name === 'minute' ? 'за хвилину' : 'за добу'
        const scope = name === 'key-day' ? ' із цим ключем API' : ''
        return `Досягнуто обмеження: ${countText('uk', limit, 'request')} ${period}${scope}. Повторіть спробу ${waitText('uk', retry_after_seconds)}.`
      },
      ru: ({ limit, name, retry_after_seconds }) => {
        const period = name === 'minute' ? 'за минуту' : 'за сутки'
        const scope = name === 'key-day' ? ' с этим ключом API' : ''
        return `Достигнуто ограничение: ${countText('ru', limit, 'request')} ${period}${scope}. Повторите попытку ${waitText('ru', retry_after_seconds)}.`
      },
    },
    example: { limit: 60, name: 'minute', retry_after_seconds: 20 },
    help: {
      en: 'Wait as long as Retry-After says; the RateLimit headers report what is left.',
      uk: 'Зачекайте стільки, скільки вказано в Retry-After; заголовки RateLimit показують залишок.',
      ru: 'Подождите столько, сколько указано в Retry-After; заголовки RateLimit показывают остаток.',
    },
  }),
  idempotency_request_running: {
    status: 409,
    detail: {
      en: 'The first request with this Idempotency-Key is still running. Try again in a moment.',
      uk: 'Перший запит із цим Idempotency-Key ще виконується. Повторіть спробу за мить.',
      ru: 'Первый запрос с этим Idempotency-Key еще выполняется. Повторите попытку чуть позже.',
    },
    retry_after_seconds: 1,
    help: {
      en: 'Repeat the request with the same key after Retry-After.',
      uk: 'Повторіть запит із тим самим ключем після Retry-After.',
      ru: 'Повторите запрос с тем же ключом по истечении Retry-After.',
    },
  },
  idempotency_response_lost: {
    status: 409,
    detail: {
      en: 'The first request with this key succeeded, but its response can no longer be read. Use the matching list endpoint to find what it created.',
      uk: 'Перший запит із цим ключем виконано, але його відповідь уже не прочитати. Знайдіть створене у відповідному списку.',
      ru: 'Первый запрос с этим ключом выполнен, но его ответ уже не прочитать. Найдите созданное в соответствующем списке.',
    },
    help: {
      en: 'Look the result up in the matching list endpoint.',
      uk: 'Знайдіть результат у відповідному списку.',
      ru: 'Найдите результат в соответствующем списке.',
    },
  },
  list_too_long: {
    status: 400,
    detail: {
      en: 'The jobs on this page are too large for one response. Set a smaller limit.',
      uk: 'Завдання на цій сторінці завеликі для однієї відповіді. Укажіть менше значення limit.',
      ru: 'Задания на этой странице слишком велики для одного ответа. Укажите меньшее значение limit.',
    },
    help: {
      en: 'Use a smaller limit.',
      uk: 'Укажіть менше значення limit.',
      ru: 'Укажите меньшее значение limit.',
    },
  },
  maintenance: withFacts({
    status: 503,
    shape: 'object',
    detail: {
      en: ({ message }: { message: string | null }) => message ?? UNDER_MAINTENANCE.en,
      uk: ({ message }) => message ?? UNDER_MAINTENANCE.uk,
      ru: ({ message }) => message ?? UNDER_MAINTENANCE.ru,
    },
    example: { message: null },
    retry_after_seconds: 60,
    help: {
      en: 'Try again later: reads keep working, and the public config announces maintenance.',
      uk: 'Повторіть спробу пізніше: читання працює, а про технічні роботи повідомляє публічна конфігурація.',
      ru: 'Повторите попытку позже: чтение работает, а о технических работах сообщает публичная конфигурация.',
    },
  }),
  overloaded: {
    status: 503,
    detail: {
      en: 'The service has too many requests at the moment and did not process this one. Try again after the time in Retry-After.',
      uk: 'Сервіс отримує забагато запитів і не виконав цей. Повторіть запит через час із заголовка Retry-After.',
      ru: 'Сервис получает слишком много запросов и не выполнил этот. Повторите запрос через время из заголовка Retry-After.',
    },
    retry_after_seconds: 2,
    help: {
      en: 'Repeat the request after Retry-After, with random delays if you have many clients.',
      uk: 'Повторіть запит після Retry-After, а якщо клієнтів багато, додайте випадкові затримки.',
      ru: 'Повторите запрос после Retry-After, а если клиентов много, добавьте случайные задержки.',
    },
  },
  database_unavailable: {
    status: 503,
    detail: {
      en: 'The database did not respond in time, so the request may or may not have taken effect. Try again with the same Idempotency-Key.',
      uk: 'База даних не відповіла вчасно, тому невідомо, чи виконано запит. Повторіть його з тим самим Idempotency-Key.',
      ru: 'База данных не ответила вовремя, поэтому неизвестно, выполнен ли запрос. Повторите его с тем же Idempotency-Key.',
    },
    retry_after_seconds: 10,
    help: {
      en: 'Repeat the request; an Idempotency-Key makes that safe.',
      uk: 'Повторіть запит; з Idempotency-Key це безпечно.',
      ru: 'Повторите запрос; с Idempotency-Key это безопасно.',
    },
  },
  account_moving: {
    status: 503,
    detail: {
      en: 'Your account is moving to another database, which takes a few seconds. Try again after the time in Retry-After, with the same Idempotency-Key.',
      uk: 'Ваш обліковий запис переміщується до іншої бази даних; це триває кілька секунд. Повторіть запит через час із заголовка Retry-After з тим самим Idempotency-Key.',
      ru: 'Ваш аккаунт перемещается в другую базу данных; это занимает несколько секунд. Повторите запрос через время из заголовка Retry-After с тем же Idempotency-Key.',
    },
    retry_after_seconds: 10,
    help: {
      en: 'Repeat the request. Reads work during the move.',
      uk: 'Повторіть запит. Під час переміщення читання працює.',
      ru: 'Повторите запрос. Во время перемещения чтение работает.',
    },
  },
  settings_invalid: {
    status: 503,
    detail: {
      en: 'The service is not set up correctly and cannot handle requests. Try again later.',
      uk: 'Сервіс налаштовано неправильно, тому він не може обробляти запити. Спробуйте пізніше.',
      ru: 'Сервис настроен неправильно, поэтому он не может обрабатывать запросы. Попробуйте позже.',
    },
    retry_after_seconds: 60,
    help: {
      en: 'Try again in a minute. The log of the service names the setting.',
      uk: 'Спробуйте за хвилину. Журнал сервісу називає параметр.',
      ru: 'Попробуйте через минуту. Журнал сервиса называет параметр.',
    },
  },
  internal_error: {
    status: 500,
    detail: {
      en: 'Something went wrong on our side. Try again, and quote request_id if it happens again.',
      uk: 'Сталася помилка на нашому боці. Повторіть спробу, а якщо помилка повториться, повідомте request_id.',
      ru: 'Произошла ошибка на нашей стороне. Повторите попытку, а если ошибка повторится, сообщите request_id.',
    },
    help: {
      en: 'Try again with exponential backoff, and send request_id to support.',
      uk: 'Повторюйте спроби з експоненційною затримкою і надішліть request_id службі підтримки.',
      ru: 'Повторяйте попытки с экспоненциальной задержкой и отправьте request_id в службу поддержки.',
    },
  },
} as const satisfies Record<string, ErrorEntry>
