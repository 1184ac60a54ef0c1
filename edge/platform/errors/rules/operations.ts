import { type Locale, packTexts, type Texts } from '../../../../shared/text/texts.ts'
import { didYouMean, fileKindText, listAny, sizeText } from '../../../../shared/text/words.ts'
import { type AtFault, type ErrorEntry, type Misspelled, withFacts } from './entry.ts'

const FILE_URL_FAULTS = {
  missing: {
    en: 'it is missing. Send the URL of a file.',
    uk: 'його немає. Надішліть URL файлу.',
    ru: 'он отсутствует. Отправьте URL файла.',
  },
  not_a_string: {
    en: 'it is not a string. Send one URL.',
    uk: 'це не рядок. Надішліть один URL.',
    ru: 'это не строка. Отправьте один URL.',
  },
  too_long: {
    en: 'it is longer than 4096 characters. Send a shorter URL.',
    uk: 'він довший за 4096 символів. Надішліть коротший URL.',
    ru: 'он длиннее 4096 символов. Отправьте более короткий URL.',
  },
  not_yours: {
    en: 'it is not the URL of one of your files. Send a URL that an upload or a job of yours returned.',
    uk: 'це не URL вашого файлу. Надішліть URL, який повернуло ваше завантаження або завдання.',
    ru: 'это не URL вашего файла. Отправьте URL, который вернула ваша загрузка или задание.',
  },
  not_a_storage_address: {
    en: 'it is not an address such as storage://NAME/KEY with a plain key. Correct it.',
    uk: 'це не адреса на зразок storage://NAME/KEY зі звичайним ключем. Виправте його.',
    ru: 'это не адрес вида storage://NAME/KEY с обычным ключом. Исправьте его.',
  },
  unknown_storage: {
    en: 'you have no storage connection with this name. Use a name from GET /api/v1/storage-connections.',
    uk: 'у вас немає підключення сховища з такою назвою. Використайте назву з GET /api/v1/storage-connections.',
    ru: 'у вас нет подключения хранилища с таким именем. Используйте имя из GET /api/v1/storage-connections.',
  },
  not_public: {
    en: 'it is not a public http or https URL. Send one, or a URL that an upload returned.',
    uk: 'це не загальнодоступний URL http або https. Надішліть такий або URL, який повернуло завантаження.',
    ru: 'это не общедоступный URL http или https. Отправьте такой или URL, который вернула загрузка.',
  },
  not_a_public_link: {
    en: 'it is not a public http or https URL. Send one.',
    uk: 'це не загальнодоступний URL http або https. Надішліть такий.',
    ru: 'это не общедоступный URL http или https. Отправьте такой.',
  },
  upload_expired: {
    en: 'the upload has expired. Upload the file again.',
    uk: 'строк зберігання файлу минув. Завантажте файл ще раз.',
    ru: 'срок хранения файла истек. Загрузите файл еще раз.',
  },
  not_uploaded: {
    en: 'its file has not been uploaded yet. Upload the file first.',
    uk: 'файл ще не завантажено. Спершу завантажте файл.',
    ru: 'файл еще не загружен. Сначала загрузите файл.',
  },
  result_expired: {
    en: 'the result has expired. Run the job again.',
    uk: 'строк зберігання результату минув. Запустіть завдання ще раз.',
    ru: 'срок хранения результата истек. Запустите задание еще раз.',
  },
  put_url: {
    en: 'it is the put_url of an upload, to which the file is sent. Send the url that the same response contains.',
    uk: 'це put_url завантаження, на який надсилають файл. Надішліть url із тієї самої відповіді.',
    ru: 'это put_url загрузки, на который отправляют файл. Отправьте url из того же ответа.',
  },
  not_here: {
    en: 'it is not the URL of a file of this service. Send a URL that an upload or a job returned.',
    uk: 'це не URL файлу цього сервісу. Надішліть URL, який повернуло завантаження або завдання.',
    ru: 'это не URL файла этого сервиса. Отправьте URL, который вернула загрузка или задание.',
  },
} satisfies Record<string, Texts>
/** Reason that the URL of a file is refused. `sentence` is used when the file itself is refused. */
export type FileUrlFault = keyof typeof FILE_URL_FAULTS | { sentence: Texts }

export interface FileUrlFacts {
  param: string
  reason: FileUrlFault
  is_link?: boolean
}

function faultOf(reason: FileUrlFault): Texts {
  return typeof reason === 'string' ? FILE_URL_FAULTS[reason] : reason.sentence
}

const TOO_LARGE = {
  params: (bytes_max: number) => ({
    en: `params are larger than ${sizeText('en', bytes_max)}. Shorten them.`,
    uk: `Розмір params перевищує ${sizeText('uk', bytes_max)}. Скоротіть їх.`,
    ru: `Размер params превышает ${sizeText('ru', bytes_max)}. Сократите их.`,
  }),
  job: () => ({
    en: 'The URLs in params are too long for one job. Use shorter URLs.',
    uk: 'URL у params задовгі для одного завдання. Використайте коротші URL.',
    ru: 'URL в params слишком длинные для одного задания. Используйте более короткие URL.',
  }),
  batch: () => ({
    en: 'The URLs and parameters of the batch are too long in total. Send fewer files at once.',
    uk: 'URL і параметри пакета разом задовгі. Надішліть менше файлів за раз.',
    ru: 'URL и параметры пакета вместе слишком длинные. Отправьте меньше файлов за раз.',
  }),
} satisfies Record<string, (bytes_max: number) => Texts>

export interface TooLargeFacts {
  what: keyof typeof TOO_LARGE
  bytes_max: number
}

export type ParamFacts = AtFault & { reason: Texts }

function refusedParam(locale: Locale, { reason }: ParamFacts): string {
  return /[.?]$/.test(reason[locale]) ? reason[locale] : `${reason[locale]}.`
}

export interface OperationAdvice extends Misspelled {
  /** The operation of this name in another service, such as video/trim. */
  elsewhere?: string | undefined
  /** True if the name means a pipeline, which is not an operation. */
  is_pipeline?: boolean
}

export type UnknownOperation = OperationAdvice & { operation: string }

const PIPELINE: Texts = {
  en: 'For a pipeline, send the first operation as operation_key and the others in params.operations.',
  uk: 'Для ланцюжка надішліть першу операцію як operation_key, а інші — в params.operations.',
  ru: 'Для цепочки отправьте первую операцию как operation_key, а остальные — в params.operations.',
}

const LIST_OPERATIONS: Texts = {
  en: 'List the operations with GET /api/v1/studio/tools.',
  uk: 'Отримайте список операцій: GET /api/v1/studio/tools.',
  ru: 'Получите список операций: GET /api/v1/studio/tools.',
}

function adviseOperation(locale: Locale, { elsewhere, is_pipeline, suggestion }: OperationAdvice): string {
  if (elsewhere !== undefined) {
    return {
      en: `${elsewhere} exists: change service_slug.`,
      uk: `Існує ${elsewhere}: змініть service_slug.`,
      ru: `Существует ${elsewhere}: измените service_slug.`,
    }[locale]
  }
  if (is_pipeline) return PIPELINE[locale]
  return didYouMean(locale, suggestion) || LIST_OPERATIONS[locale]
}

export interface KindFacts {
  operation: string
  param: string
  /** Kinds of files or media types. */
  accepted: readonly string[]
  found: string
}

function kindsText(locale: Locale, kinds: readonly string[]): string {
  return listAny(
    locale,
    kinds.map((kind) => fileKindText(locale, kind)),
  )
}

const NOT_OBJECT: Texts = {
  en: 'params must be a JSON object',
  uk: 'Поле params має бути об’єктом JSON.',
  ru: 'Поле params должно быть объектом JSON.',
}

/** The message of a schema for the same error. Contract: Errors, Status 400. */
export const PARAMS_NOT_OBJECT = packTexts(NOT_OBJECT)

/** Remedies for URLs of files that need another one than most. */
export const FILE_URL_HELP: { [Reason in keyof typeof FILE_URL_FAULTS]?: Texts } = {
  unknown_storage: {
    en: 'Create the storage connection, or use the name of an existing one.',
    uk: 'Створіть підключення сховища або використайте назву наявного.',
    ru: 'Создайте подключение хранилища или используйте имя существующего.',
  },
  not_a_storage_address: {
    en: 'Send the name of a storage connection and the key of an object in it.',
    uk: 'Надішліть назву підключення сховища і ключ об’єкта в ньому.',
    ru: 'Отправьте имя подключения хранилища и ключ объекта в нем.',
  },
}

/** Errors for operations and their parameters. */
export const OPERATION_ERRORS = {
  unknown_service: withFacts({
    status: 404,
    detail: {
      en: ({ service, suggestion }: Misspelled & { service: string }) =>
        `Service ${service} does not exist. ${didYouMean('en', suggestion) || 'List the services with GET /api/v1/studio/tools.'}`,
      uk: ({ service, suggestion }) =>
        `Сервісу ${service} не існує. ${didYouMean('uk', suggestion) || 'Отримайте список сервісів: GET /api/v1/studio/tools.'}`,
      ru: ({ service, suggestion }) =>
        `Сервиса ${service} не существует. ${didYouMean('ru', suggestion) || 'Получите список сервисов: GET /api/v1/studio/tools.'}`,
    },
    example: { service: 'audio' },
    help: {
      en: 'Use a service_slug from the tools listing.',
      uk: 'Використайте service_slug зі списку інструментів.',
      ru: 'Используйте service_slug из списка инструментов.',
    },
    param: 'service_slug',
  }),
  unknown_operation: withFacts({
    status: 400,
    detail: {
      en: ({ operation, ...advice }: UnknownOperation) =>
        `Unknown operation: ${operation} does not exist. ${adviseOperation('en', advice)}`,
      uk: ({ operation, ...advice }) =>
        `Невідома операція: ${operation} не існує. ${adviseOperation('uk', advice)}`,
      ru: ({ operation, ...advice }) =>
        `Неизвестная операция: ${operation} не существует. ${adviseOperation('ru', advice)}`,
    },
    example: { operation: 'video/shrink' },
    help: {
      en: 'Use an operation from the tools listing.',
      uk: 'Використайте операцію зі списку інструментів.',
      ru: 'Используйте операцию из списка инструментов.',
    },
    param: 'operation_key',
  }),
  operation_disabled: withFacts({
    status: 400,
    detail: {
      en: ({ operation }: { operation: string }) =>
        `${operation} is switched off on this server. Use another operation.`,
      uk: ({ operation }) => `Операцію ${operation} вимкнено на цьому сервері. Використайте іншу операцію.`,
      ru: ({ operation }) => `Операция ${operation} отключена на этом сервере. Используйте другую операцию.`,
    },
    example: { operation: 'video/subtitles' },
    help: {
      en: 'Offer only operations that the tools listing shows as enabled.',
      uk: 'Пропонуйте лише операції, увімкнені в списку інструментів.',
      ru: 'Предлагайте только операции, включенные в списке инструментов.',
    },
    param: 'operation_key',
  }),
  operation_takes_link: withFacts({
    status: 400,
    detail: {
      en: ({ operation }: { operation: string }) =>
        `${operation} processes a video link and accepts no file. Send the link in params.url; nothing was charged.`,
      uk: ({ operation }) =>
        `Операція ${operation} обробляє посилання на відео й не приймає файлів. Надішліть посилання в params.url; нічого не списано.`,
      ru: ({ operation }) =>
        `Операция ${operation} обрабатывает ссылку на видео и не принимает файлы. Отправьте ссылку в params.url; ничего не списано.`,
    },
    example: { operation: 'video/link_info' },
    help: {
      en: 'Submit the link as JSON, with POST /api/v1/jobs/api for an API key or POST /api/v1/jobs for a session.',
      uk: 'Надішліть посилання як JSON: з ключем API через POST /api/v1/jobs/api, із сесією через POST /api/v1/jobs.',
      ru: 'Отправьте ссылку как JSON: с ключом API через POST /api/v1/jobs/api, с сессией через POST /api/v1/jobs.',
    },
  }),
  params_not_object: {
    status: 400,
    detail: NOT_OBJECT,
    literal: true,
    help: {
      en: 'Send params as an object; in a form, send it as a JSON string.',
      uk: 'Надішліть params як об’єкт, а у формі — як рядок JSON.',
      ru: 'Отправьте params как объект, а в форме — как строку JSON.',
    },
    param: 'params',
  },
  invalid_params: withFacts({
    status: 400,
    detail: {
      en: (facts: ParamFacts) => refusedParam('en', facts),
      uk: (facts) => refusedParam('uk', facts),
      ru: (facts) => refusedParam('ru', facts),
    },
    example: {
      reason: {
        en: 'crf: must be at most 51, not 52',
        uk: 'crf: значення має бути не більше 51; отримано 52',
        ru: 'crf: значение должно быть не больше 51; получено 52',
      },
    },
    help: {
      en: 'Correct the parameter that the message names.',
      uk: 'Виправте параметр, названий у повідомленні.',
      ru: 'Исправьте параметр, названный в сообщении.',
    },
  }),
  params_too_large: withFacts({
    status: 400,
    detail: {
      en: ({ what, bytes_max }: TooLargeFacts) => TOO_LARGE[what](bytes_max).en,
      uk: ({ what, bytes_max }) => TOO_LARGE[what](bytes_max).uk,
      ru: ({ what, bytes_max }) => TOO_LARGE[what](bytes_max).ru,
    },
    example: { what: 'params', bytes_max: 65_536 },
    help: {
      en: 'Shorten params or the URLs, or send fewer files at once.',
      uk: 'Скоротіть params або URL чи надішліть менше файлів за раз.',
      ru: 'Сократите params или URL либо отправьте меньше файлов за раз.',
    },
  }),
  invalid_file_url: withFacts({
    status: 400,
    detail: {
      en: ({ param, reason, is_link = false }: FileUrlFacts) =>
        `${param} is an ${is_link ? 'invalid link' : 'invalid file URL'}: ${faultOf(reason).en}`,
      uk: ({ param, reason, is_link = false }) =>
        `Недійсний URL ${is_link ? 'відео' : 'файлу'} у ${param}: ${faultOf(reason).uk}`,
      ru: ({ param, reason, is_link = false }) =>
        `Недопустимый URL ${is_link ? 'видео' : 'файла'} в ${param}: ${faultOf(reason).ru}`,
    },
    example: { param: 'params.file_url', reason: 'upload_expired' },
    help: {
      en: 'Send a public URL, or one that your upload or job returned.',
      uk: 'Надішліть загальнодоступний URL або той, який повернуло ваше завантаження чи завдання.',
      ru: 'Отправьте общедоступный URL или тот, который вернула ваша загрузка или задание.',
    },
  }),
  wrong_file_kind: withFacts({
    status: 400,
    detail: {
      en: ({ operation, param, accepted, found }: KindFacts) =>
        `Wrong file kind for ${operation}: ${param} accepts ${kindsText('en', accepted)}, not ${fileKindText('en', found)}.`,
      uk: ({ operation, param, accepted, found }) =>
        `Неправильний вид файлу для ${operation}: ${param} приймає ${kindsText('uk', accepted)}, а не ${fileKindText('uk', found)}.`,
      ru: ({ operation, param, accepted, found }) =>
        `Неверный вид файла для ${operation}: ${param} принимает ${kindsText('ru', accepted)}, а не ${fileKindText('ru', found)}.`,
    },
    example: { operation: 'video/trim', param: 'params.file_url', accepted: ['video'], found: 'image' },
    help: {
      en: 'Send a file of a kind that the tools listing shows in accepts.',
      uk: 'Надішліть файл того виду, який указано в accepts у списку інструментів.',
      ru: 'Отправьте файл того вида, который указан в accepts в списке инструментов.',
    },
  }),
} as const satisfies Record<string, ErrorEntry>
