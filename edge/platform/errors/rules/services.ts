import type { Texts } from '../../../../shared/text/texts.ts'
import { countText, waitText } from '../../../../shared/text/words.ts'
import { type ErrorEntry, type Wait, withFacts } from './entry.ts'

/** Messages that are counted and limited, worded to follow "too many". */
const MESSAGE_LIMITS = {
  in_a_row: { en: 'messages in a row', uk: 'повідомлень поспіль', ru: 'сообщений подряд' },
  account_day: {
    en: 'messages from this account today',
    uk: 'повідомлень із цього облікового запису сьогодні',
    ru: 'сообщений из этой учетной записи сегодня',
  },
  address_day: {
    en: 'messages from this address today',
    uk: 'повідомлень із цієї адреси сьогодні',
    ru: 'сообщений с этого адреса сегодня',
  },
  network_hour: {
    en: 'messages from this network',
    uk: 'повідомлень із цієї мережі',
    ru: 'сообщений из этой сети',
  },
  everybody_hour: {
    en: 'messages from all senders',
    uk: 'повідомлень від усіх відправників',
    ru: 'сообщений от всех отправителей',
  },
} satisfies Record<string, Texts>
export type MessageLimit = keyof typeof MESSAGE_LIMITS

const ROUND_VIDEO_FAULTS = {
  not_round: {
    en: 'it is not a round video. Run video/circle and deliver its result.',
    uk: 'це не кругле відео. Запустіть video/circle і доставте його результат.',
    ru: 'это не круглое видео. Запустите video/circle и доставьте его результат.',
  },
  wrong_size: {
    en: 'it must be square, with sides of at most 640 pixels. Run video/circle with a smaller size.',
    uk: 'відео має бути квадратним зі стороною до 640 пікселів. Запустіть video/circle з меншим розміром.',
    ru: 'видео должно быть квадратным со стороной до 640 пикселей. Запустите video/circle с меньшим размером.',
  },
  too_long: {
    en: 'it is longer than a minute. Trim it first.',
    uk: 'відео довше за хвилину. Спершу обріжте його.',
    ru: 'видео длиннее минуты. Сначала обрежьте его.',
  },
  too_large: {
    en: 'it is larger than 50 MB, the limit for bots. Compress it first.',
    uk: 'файл перевищує 50 МБ — обмеження для ботів. Спершу стисніть його.',
    ru: 'файл превышает 50 МБ — ограничение для ботов. Сначала сожмите его.',
  },
} satisfies Record<string, Texts>
export type RoundVideoFault = keyof typeof ROUND_VIDEO_FAULTS

/** Errors for favorites, feedback, the messenger and webhooks. */
export const SERVICE_ERRORS = {
  tool_not_found: {
    status: 404,
    detail: {
      en: 'Tool not found or disabled. Use a tool from GET /api/v1/studio/tools.',
      uk: 'Інструмент не знайдено або вимкнено. Використайте інструмент із GET /api/v1/studio/tools.',
      ru: 'Инструмент не найден или отключен. Используйте инструмент из GET /api/v1/studio/tools.',
    },
    help: {
      en: 'Use an enabled operation from the tools listing.',
      uk: 'Використайте ввімкнену операцію зі списку інструментів.',
      ru: 'Используйте включенную операцию из списка инструментов.',
    },
  },
  favorite_removed: {
    status: 409,
    detail: {
      en: 'Another request removed the favorite at the same time. Try again.',
      uk: 'Інший запит одночасно вилучив цей інструмент з обраного. Повторіть спробу.',
      ru: 'Другой запрос одновременно удалил этот инструмент из избранного. Повторите попытку.',
    },
    help: { en: 'Repeat the request.', uk: 'Повторіть запит.', ru: 'Повторите запрос.' },
  },
  feedback_rejected: {
    status: 400,
    detail: {
      en: 'The message was rejected. Load the form on this site and send the message again.',
      uk: 'Повідомлення відхилено. Відкрийте форму на цьому сайті та надішліть повідомлення ще раз.',
      ru: 'Сообщение отклонено. Откройте форму на этом сайте и отправьте сообщение еще раз.',
    },
    help: {
      en: 'Have a person fill out the form.',
      uk: 'Форму має заповнити людина.',
      ru: 'Форму должен заполнить человек.',
    },
  },
  feedback_outside_site: {
    status: 401,
    detail: {
      en: 'Anonymous messages are accepted only from the form on this site. Use the form, or sign in.',
      uk: 'Анонімні повідомлення приймаються лише з форми на цьому сайті. Скористайтеся формою або ввійдіть.',
      ru: 'Анонимные сообщения принимаются только из формы на этом сайте. Используйте форму или войдите.',
    },
    help: {
      en: 'Sign in, or send the message from the form on this site.',
      uk: 'Увійдіть або надішліть повідомлення з форми на цьому сайті.',
      ru: 'Войдите или отправьте сообщение из формы на этом сайте.',
    },
  },
  feedback_form_expired: {
    status: 401,
    detail: {
      en: 'The form has expired. Load it again and resend the message.',
      uk: 'Строк дії форми минув. Завантажте її ще раз і надішліть повідомлення знову.',
      ru: 'Срок действия формы истек. Загрузите ее еще раз и отправьте сообщение снова.',
    },
    help: {
      en: 'Request a new form_token.',
      uk: 'Запитайте новий form_token.',
      ru: 'Запросите новый form_token.',
    },
  },
  feedback_form_too_fast: {
    status: 401,
    detail: {
      en: 'The form was submitted too quickly. Wait a few seconds and try again.',
      uk: 'Форму надіслано надто швидко. Зачекайте кілька секунд і повторіть спробу.',
      ru: 'Форма отправлена слишком быстро. Подождите несколько секунд и повторите попытку.',
    },
    help: {
      en: 'Wait not_before_seconds after loading the form.',
      uk: 'Зачекайте not_before_seconds після завантаження форми.',
      ru: 'Подождите not_before_seconds после загрузки формы.',
    },
  },
  duplicate_message: {
    status: 400,
    detail: {
      en: 'The same message was already sent today. Send each message once.',
      uk: 'Таке саме повідомлення вже надіслано сьогодні. Надсилайте кожне повідомлення один раз.',
      ru: 'Такое же сообщение уже отправлено сегодня. Отправляйте каждое сообщение один раз.',
    },
    help: {
      en: 'Send each message once.',
      uk: 'Надсилайте кожне повідомлення один раз.',
      ru: 'Отправляйте каждое сообщение один раз.',
    },
  },
  too_many_links: withFacts({
    status: 400,
    detail: {
      en: ({ links_max }: { links_max: number }) =>
        `A message may have at most ${countText('en', links_max, 'link')}. Remove the others.`,
      uk: ({ links_max }) =>
        `Повідомлення може містити щонайбільше ${countText('uk', links_max, 'link')}. Вилучіть решту.`,
      ru: ({ links_max }) =>
        `Сообщение может содержать максимум ${countText('ru', links_max, 'link')}. Удалите остальные.`,
    },
    example: { links_max: 2 },
    help: { en: 'Remove links.', uk: 'Вилучіть посилання.', ru: 'Удалите ссылки.' },
  }),
  too_many_messages: withFacts({
    status: 429,
    detail: {
      en: ({ limit, retry_after_seconds }: { limit: MessageLimit } & Wait) =>
        `Too many ${MESSAGE_LIMITS[limit].en}. Try again ${waitText('en', retry_after_seconds)}.`,
      uk: ({ limit, retry_after_seconds }) =>
        `Забагато ${MESSAGE_LIMITS[limit].uk}. Повторіть спробу ${waitText('uk', retry_after_seconds)}.`,
      ru: ({ limit, retry_after_seconds }) =>
        `Слишком много ${MESSAGE_LIMITS[limit].ru}. Повторите попытку ${waitText('ru', retry_after_seconds)}.`,
    },
    example: { limit: 'in_a_row', retry_after_seconds: 120 },
    help: {
      en: 'Wait as long as Retry-After says.',
      uk: 'Зачекайте стільки, скільки вказано в Retry-After.',
      ru: 'Подождите столько, сколько указано в Retry-After.',
    },
  }),
  feedback_unavailable: {
    status: 503,
    detail: {
      en: 'Messages cannot be delivered at the moment. Try again later.',
      uk: 'Наразі неможливо доставити повідомлення. Спробуйте пізніше.',
      ru: 'Сейчас невозможно доставить сообщение. Попробуйте позже.',
    },
    help: {
      en: 'Hide the form: the public config reports whether feedback is open.',
      uk: 'Сховайте форму: публічна конфігурація повідомляє, чи відкрито зворотний зв’язок.',
      ru: 'Скройте форму: публичная конфигурация сообщает, открыта ли обратная связь.',
    },
  },
  messenger_not_configured: {
    status: 503,
    detail: {
      en: 'Delivery to a messenger is not configured on this server. Download the result instead.',
      uk: 'Доставку в месенджер на цьому сервері не налаштовано. Натомість завантажте результат.',
      ru: 'Доставка в мессенджер на этом сервере не настроена. Вместо этого скачайте результат.',
    },
    help: {
      en: 'Download the result instead.',
      uk: 'Натомість завантажте результат.',
      ru: 'Вместо этого скачайте результат.',
    },
  },
  bot_not_found: {
    status: 404,
    detail: {
      en: 'Bot not found. Check bot_id.',
      uk: 'Бота не знайдено. Перевірте bot_id.',
      ru: 'Бот не найден. Проверьте bot_id.',
    },
    help: {
      en: 'Leave bot_id out to use the first bot.',
      uk: 'Не вказуйте bot_id, щоб використати першого бота.',
      ru: 'Не указывайте bot_id, чтобы использовать первого бота.',
    },
  },
  invalid_secret_token: {
    status: 401,
    detail: {
      en: 'The secret token is missing or invalid. Register the webhook again.',
      uk: 'Секретного токена немає або він недійсний. Зареєструйте вебхук ще раз.',
      ru: 'Секретный токен отсутствует или недействителен. Зарегистрируйте вебхук еще раз.',
    },
    help: {
      en: 'Register the webhook with the secret of the bot.',
      uk: 'Зареєструйте вебхук із секретом бота.',
      ru: 'Зарегистрируйте вебхук с секретом бота.',
    },
  },
  not_deliverable: withFacts({
    status: 409,
    detail: {
      en: ({ reason }: { reason: RoundVideoFault }) =>
        `The result cannot be delivered: ${ROUND_VIDEO_FAULTS[reason].en}`,
      uk: ({ reason }) => `Результат неможливо доставити: ${ROUND_VIDEO_FAULTS[reason].uk}`,
      ru: ({ reason }) => `Результат невозможно доставить: ${ROUND_VIDEO_FAULTS[reason].ru}`,
    },
    example: { reason: 'too_long' },
    help: {
      en: 'Deliver the result of a video/circle job.',
      uk: 'Доставте результат завдання video/circle.',
      ru: 'Доставьте результат задания video/circle.',
    },
  }),
  result_expired: {
    status: 409,
    detail: {
      en: 'The result has expired. Run the job again.',
      uk: 'Строк зберігання результату минув. Запустіть завдання ще раз.',
      ru: 'Срок хранения результата истек. Запустите задание еще раз.',
    },
    help: {
      en: 'Run the job again.',
      uk: 'Запустіть завдання ще раз.',
      ru: 'Запустите задание еще раз.',
    },
  },
  storage_connection_not_found: {
    status: 404,
    detail: {
      en: 'Storage connection not found. Use a name from the list of storage connections.',
      uk: 'Підключення сховища не знайдено. Використайте назву зі списку підключень сховищ.',
      ru: 'Подключение хранилища не найдено. Используйте имя из списка подключений хранилищ.',
    },
    help: {
      en: 'Use a name from GET /api/v1/storage-connections.',
      uk: 'Використайте назву з GET /api/v1/storage-connections.',
      ru: 'Используйте имя из GET /api/v1/storage-connections.',
    },
  },
  storage_connection_exists: withFacts({
    status: 409,
    detail: {
      en: ({ name }: { name: string }) =>
        `A storage connection named ${name} already exists. Change it, or choose another name.`,
      uk: ({ name }) => `Підключення сховища з назвою ${name} вже є. Змініть його або виберіть іншу назву.`,
      ru: ({ name }) =>
        `Подключение хранилища с именем ${name} уже есть. Измените его или выберите другое имя.`,
    },
    example: { name: 'archive' },
    help: {
      en: 'Change the existing connection with PATCH, or choose another name.',
      uk: 'Змініть наявне підключення через PATCH або виберіть іншу назву.',
      ru: 'Измените имеющееся подключение через PATCH или выберите другое имя.',
    },
  }),
  too_many_storage_connections: withFacts({
    status: 409,
    detail: {
      en: ({ connections_max }: { connections_max: number }) =>
        `An account can have up to ${connections_max} storage connections. Delete one first.`,
      uk: ({ connections_max }) =>
        `Досягнуто обмеження: ${connections_max} підключень сховищ. Спершу видаліть одне.`,
      ru: ({ connections_max }) =>
        `Достигнуто ограничение: ${connections_max} подключений хранилищ. Сначала удалите одно.`,
    },
    example: { connections_max: 20 },
    help: {
      en: 'Delete a connection that is no longer used.',
      uk: 'Видаліть підключення, яке більше не використовується.',
      ru: 'Удалите подключение, которое больше не используется.',
    },
  }),
  storage_connections_not_configured: {
    status: 503,
    detail: {
      en: 'Storage connections are not configured on this server. Upload files and download results instead.',
      uk: 'Підключення сховищ на цьому сервері не налаштовано. Завантажуйте файли й отримуйте результати напряму.',
      ru: 'Подключения хранилищ на этом сервере не настроены. Загружайте файлы и получайте результаты напрямую.',
    },
    help: {
      en: 'Upload files and download results instead.',
      uk: 'Завантажуйте файли й отримуйте результати напряму.',
      ru: 'Загружайте файлы и получайте результаты напрямую.',
    },
  },
  import_headers_not_configured: {
    status: 503,
    detail: {
      en: 'Headers for imports are not configured on this server. Upload the file instead.',
      uk: 'Заголовки для імпорту на цьому сервері не налаштовано. Завантажте сам файл.',
      ru: 'Заголовки для импорта на этом сервере не настроены. Загрузите сам файл.',
    },
    help: {
      en: 'Upload the file, or use a URL that needs no headers.',
      uk: 'Завантажте файл або вкажіть URL, який не потребує заголовків.',
      ru: 'Загрузите файл или укажите URL, для которого не нужны заголовки.',
    },
  },
  webhook_endpoint_not_found: {
    status: 404,
    detail: {
      en: 'Webhook endpoint not found. Use an id from the list of endpoints.',
      uk: 'Кінцеву точку вебхуків не знайдено. Використайте ідентифікатор зі списку кінцевих точок.',
      ru: 'Конечная точка вебхуков не найдена. Используйте идентификатор из списка конечных точек.',
    },
    help: {
      en: 'Use an id from the list of endpoints.',
      uk: 'Використайте ідентифікатор зі списку кінцевих точок.',
      ru: 'Используйте идентификатор из списка конечных точек.',
    },
  },
  webhook_endpoint_disabled: {
    status: 409,
    detail: {
      en: 'The endpoint of this delivery is disabled or was deleted. Enable it first.',
      uk: 'Кінцеву точку цієї доставки вимкнено або видалено. Спершу увімкніть її.',
      ru: 'Конечная точка этой доставки отключена или удалена. Сначала включите ее.',
    },
    help: {
      en: 'Enable the endpoint. A deleted one cannot be restored.',
      uk: 'Увімкніть кінцеву точку. Видалену відновити не можна.',
      ru: 'Включите конечную точку. Удаленную восстановить нельзя.',
    },
  },
  too_many_webhook_endpoints: withFacts({
    status: 409,
    detail: {
      en: ({ endpoints_max }: { endpoints_max: number }) =>
        `An account can have up to ${endpoints_max} webhook endpoints. Delete one first.`,
      uk: ({ endpoints_max }) =>
        `Обліковий запис може мати до ${endpoints_max} кінцевих точок вебхуків. Спершу видаліть одну.`,
      ru: ({ endpoints_max }) =>
        `У учетной записи может быть до ${endpoints_max} конечных точек вебхуков. Сначала удалите одну.`,
    },
    example: { endpoints_max: 10 },
    help: {
      en: 'Delete an endpoint that you no longer use, or subscribe an existing one to more events.',
      uk: 'Видаліть непотрібну кінцеву точку або підпишіть наявну на більше подій.',
      ru: 'Удалите ненужную конечную точку или подпишите имеющуюся на больше событий.',
    },
  }),
  webhook_delivery_not_found: {
    status: 404,
    detail: {
      en: 'Webhook delivery not found. Use an id from the list of deliveries.',
      uk: 'Доставку вебхука не знайдено. Використайте ідентифікатор зі списку доставок.',
      ru: 'Доставка вебхука не найдена. Используйте идентификатор из списка доставок.',
    },
    help: {
      en: 'Use an id from the list of deliveries.',
      uk: 'Використайте ідентифікатор зі списку доставок.',
      ru: 'Используйте идентификатор из списка доставок.',
    },
  },
} as const satisfies Record<string, ErrorEntry>
