import { fromFacts, type Locale, type Texts } from '../text/texts.ts'
import type { FailureEntry } from './entry.ts'

/** Why bytes did not pass between a server of the customer and the fleet. Each is a clause after a colon. */
export const TRANSFER_FAULTS = {
  not_public: {
    en: 'it does not lead to a public address',
    uk: 'адреса не є загальнодоступною',
    ru: 'адрес не является общедоступным',
  },
  not_http: {
    en: 'only http and https are supported',
    uk: 'підтримуються лише http і https',
    ru: 'поддерживаются только http и https',
  },
  no_response: {
    en: 'the server did not respond or closed the connection early',
    uk: 'сервер не відповів або завчасно закрив з’єднання',
    ru: 'сервер не ответил или раньше времени закрыл соединение',
  },
  sends_too_slowly: {
    en: 'the server sends too slowly',
    uk: 'сервер надсилає дані надто повільно',
    ru: 'сервер отправляет данные слишком медленно',
  },
  receives_too_slowly: {
    en: 'the server receives too slowly',
    uk: 'сервер приймає дані надто повільно',
    ru: 'сервер принимает данные слишком медленно',
  },
  download_too_long: {
    en: 'the download took too long',
    uk: 'завантаження тривало надто довго',
    ru: 'загрузка заняла слишком много времени',
  },
  upload_too_long: {
    en: 'the upload took too long',
    uk: 'надсилання тривало надто довго',
    ru: 'отправка заняла слишком много времени',
  },
  unsupported_coding: {
    en: 'the server sends the file in an unsupported Content-Encoding',
    uk: 'сервер надсилає файл із непідтримуваним Content-Encoding',
    ru: 'сервер отправляет файл с неподдерживаемым Content-Encoding',
  },
  invalid_coding: {
    en: 'the content does not match the Content-Encoding of the server',
    uk: 'вміст не відповідає вказаному сервером Content-Encoding',
    ru: 'содержимое не соответствует указанному сервером Content-Encoding',
  },
  redirected: {
    en: 'the server redirects to another address',
    uk: 'сервер переспрямовує на іншу адресу',
    ru: 'сервер перенаправляет на другой адрес',
  },
  too_many_redirects: {
    en: 'too many redirects',
    uk: 'забагато переспрямувань',
    ru: 'слишком много перенаправлений',
  },
  status: {
    en: 'the server responded with status',
    uk: 'сервер відповів статусом',
    ru: 'сервер ответил статусом',
  },
  unknown_connection: {
    en: 'the storage connection does not exist',
    uk: 'такого підключення сховища немає',
    ru: 'такого подключения хранилища нет',
  },
  invalid_key: {
    en: 'the key with the folder of the connection is longer than 1024 bytes or not valid',
    uk: 'ключ разом із папкою підключення довший за 1024 байти або недійсний',
    ru: 'ключ вместе с папкой подключения длиннее 1024 байт или недопустим',
  },
  access_refused: {
    en: 'access to the storage was refused',
    uk: 'у доступі до сховища відмовлено',
    ru: 'в доступе к хранилищу отказано',
  },
} as const satisfies Record<string, Texts>

export interface TransferFault {
  fault: keyof typeof TRANSFER_FAULTS
  /** HTTP status, for the fault `status`. */
  status?: number
  /** Error code of an S3 server beside the status, or the coding of a fault of `Content-Encoding`. */
  code?: string
}

function clause({ fault, status, code }: TransferFault, locale: Locale): string {
  const numbered =
    status === undefined ? TRANSFER_FAULTS[fault][locale] : `${TRANSFER_FAULTS[fault][locale]} ${status}`
  return code === undefined ? numbered : `${numbered} (${code})`
}

type AtAddress = TransferFault & { address: string }

/** Failures of reading inputs from the servers of customers, and of writing results to them. */
export const TRANSFER_FAILURES = {
  import_failed: {
    error_code: 'download_failed',
    text: fromFacts({
      en: (facts: TransferFault) =>
        `The file could not be downloaded from its URL: ${clause(facts, 'en')}. Check the URL, or upload the file instead.`,
      uk: (facts) =>
        `Не вдалося завантажити файл за його URL: ${clause(facts, 'uk')}. Перевірте URL або завантажте сам файл.`,
      ru: (facts) =>
        `Не удалось загрузить файл по его URL: ${clause(facts, 'ru')}. Проверьте URL или загрузите сам файл.`,
    }),
  },
  storage_import_failed: {
    error_code: 'download_failed',
    text: fromFacts({
      en: (facts: AtAddress) =>
        `The file could not be read from ${facts.address}: ${clause(facts, 'en')}. Check the key and the storage connection.`,
      uk: (facts) =>
        `Не вдалося прочитати файл із ${facts.address}: ${clause(facts, 'uk')}. Перевірте ключ і підключення сховища.`,
      ru: (facts) =>
        `Не удалось прочитать файл из ${facts.address}: ${clause(facts, 'ru')}. Проверьте ключ и подключение хранилища.`,
    }),
  },
  export_failed: {
    error_code: 'export_failed',
    text: fromFacts({
      en: (facts: AtAddress) =>
        `The result could not be written to ${facts.address}: ${clause(facts, 'en')}. Check the storage connection, then run the job again.`,
      uk: (facts) =>
        `Не вдалося записати результат у ${facts.address}: ${clause(facts, 'uk')}. Перевірте підключення сховища і запустіть завдання знову.`,
      ru: (facts) =>
        `Не удалось записать результат в ${facts.address}: ${clause(facts, 'ru')}. Проверьте подключение хранилища и запустите задание снова.`,
    }),
  },
  export_missing: {
    error_code: 'export_failed',
    text: fromFacts({
      en: ({ storage }: { storage: string }) =>
        `The result was not written to storage connection ${storage}. Run the job again.`,
      uk: ({ storage }) => `Результат не записано в підключене сховище ${storage}. Запустіть завдання знову.`,
      ru: ({ storage }) =>
        `Результат не записан в подключенное хранилище ${storage}. Запустите задание снова.`,
    }),
  },
} as const satisfies Record<string, FailureEntry>
