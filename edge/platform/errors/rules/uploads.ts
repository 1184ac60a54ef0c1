import { countText, fileKindText, listAny, sizeText, waitText } from '../../../../shared/text/words.ts'
import { type ErrorEntry, type Wait, withFacts } from './entry.ts'

export interface SizeFacts {
  bytes_max: number
  /** True if the file came through the service, so a direct upload may be larger. */
  is_proxied?: boolean
}

/** Sizes in bytes. */
export interface SizesFacts {
  declared: number
  found: number
}

export interface TypeFacts {
  content_type: string
  /** The types of an upload link. */
  allowed?: readonly string[]
  /** The types that operations read; where there is no upload link. */
  accepted?: readonly string[]
}

export interface PartFacts {
  missing: number
  part_count: number
  first: number
}

/** Errors for files and uploads. */
export const UPLOAD_ERRORS = {
  file_not_found: {
    status: 404,
    detail: {
      en: 'File not found or expired. Upload it again, or run its job again.',
      uk: 'Файл не знайдено або строк його зберігання минув. Завантажте його ще раз або повторіть завдання.',
      ru: 'Файл не найден или срок его хранения истек. Загрузите его еще раз или повторите задание.',
    },
    help: {
      en: 'Files expire at expires_at: download results before then.',
      uk: 'Файли зберігаються до expires_at: завантажуйте результати раніше.',
      ru: 'Файлы хранятся до expires_at: скачивайте результаты раньше.',
    },
  },
  range_not_satisfiable: {
    status: 416,
    detail: {
      en: 'Requested range is not satisfiable. Request a range inside the file.',
      uk: 'Запитаний діапазон неможливо надати. Запитайте діапазон у межах файлу.',
      ru: 'Запрошенный диапазон невозможно предоставить. Запросите диапазон в пределах файла.',
    },
    help: {
      en: 'Read the size of the file from Content-Range.',
      uk: 'Дізнайтеся розмір файлу з Content-Range.',
      ru: 'Узнайте размер файла из Content-Range.',
    },
  },
  file_too_large: withFacts({
    status: 413,
    detail: {
      en: ({ bytes_max, is_proxied = false }: SizeFacts) =>
        `The file is larger than ${sizeText('en', bytes_max)}. ${is_proxied ? 'Use a direct upload (POST /api/v1/uploads/presign).' : 'Send a smaller file.'}`,
      uk: ({ bytes_max, is_proxied = false }) =>
        `Файл перевищує ${sizeText('uk', bytes_max)}. ${is_proxied ? 'Скористайтеся прямим завантаженням (POST /api/v1/uploads/presign).' : 'Надішліть менший файл.'}`,
      ru: ({ bytes_max, is_proxied = false }) =>
        `Файл превышает ${sizeText('ru', bytes_max)}. ${is_proxied ? 'Используйте прямую загрузку (POST /api/v1/uploads/presign).' : 'Отправьте файл меньшего размера.'}`,
    },
    example: { bytes_max: 5 * 1024 ** 3 },
    help: {
      en: ({ is_proxied = false }) =>
        is_proxied
          ? 'Use a direct upload for files over 100 MB.'
          : 'Compress the file or split it before you send it.',
      uk: ({ is_proxied = false }) =>
        is_proxied
          ? 'Скористайтеся прямим завантаженням для файлів понад 100 МБ.'
          : 'Стисніть файл або розділіть його перед надсиланням.',
      ru: ({ is_proxied = false }) =>
        is_proxied
          ? 'Используйте прямую загрузку для файлов больше 100 МБ.'
          : 'Сожмите файл или разделите его перед отправкой.',
    },
  }),
  file_type_not_allowed: withFacts({
    status: 415,
    detail: {
      en: ({ content_type, allowed, accepted }: TypeFacts) =>
        `Files of type ${content_type} are not allowed. Send ${allowed ? listAny('en', allowed) : `a video, an image, audio or subtitles (${accepted?.join(', ')}), or use application/octet-stream`}.`,
      uk: ({ content_type, allowed, accepted }) =>
        `Файли типу ${content_type} не дозволені. Надішліть ${allowed ? listAny('uk', allowed) : `відео, зображення, аудіо чи субтитри (${accepted?.join(', ')}) або вкажіть application/octet-stream`}.`,
      ru: ({ content_type, allowed, accepted }) =>
        `Файлы типа ${content_type} не разрешены. Отправьте ${allowed ? listAny('ru', allowed) : `видео, изображение, аудио или субтитры (${accepted?.join(', ')}) либо укажите application/octet-stream`}.`,
    },
    example: { content_type: 'text/html', allowed: ['video/*'] },
    help: {
      en: 'Send another type; allowed_mime_types of an upload link lists the accepted types.',
      uk: 'Надішліть інший тип; допустимі типи перелічено в allowed_mime_types посилання для завантаження.',
      ru: 'Отправьте другой тип; допустимые типы перечислены в allowed_mime_types ссылки для загрузки.',
    },
  }),
  file_type_mismatch: withFacts({
    status: 415,
    detail: {
      en: ({ declared, found }: { declared: string; found: string }) =>
        `The file was declared as ${declared}, but it is ${fileKindText('en', found)}. Upload it again with the correct content_type.`,
      uk: ({ declared, found }) =>
        `Файл заявлено як ${declared}, але це ${fileKindText('uk', found)}. Завантажте його ще раз із правильним content_type.`,
      ru: ({ declared, found }) =>
        `Файл заявлен как ${declared}, но это ${fileKindText('ru', found)}. Загрузите его еще раз с правильным content_type.`,
    },
    example: { declared: 'video/mp4', found: 'image' },
    help: {
      en: 'Declare the actual type of the file.',
      uk: 'Укажіть справжній тип файлу.',
      ru: 'Укажите настоящий тип файла.',
    },
  }),
  file_larger_than_declared: withFacts({
    status: 413,
    detail: {
      en: ({ declared, found }: SizesFacts) =>
        `The file has ${countText('en', found, 'byte')}, but ${declared} were declared. Upload it again with the correct size_bytes.`,
      uk: ({ declared, found }) =>
        `Розмір файлу — ${countText('uk', found, 'byte')}, а заявлено ${declared}. Завантажте його ще раз із правильним size_bytes.`,
      ru: ({ declared, found }) =>
        `Размер файла — ${countText('ru', found, 'byte')}, а заявлено ${declared}. Загрузите его еще раз с правильным size_bytes.`,
    },
    example: { declared: 1000, found: 1001 },
    help: {
      en: 'Declare the actual size of the file.',
      uk: 'Укажіть справжній розмір файлу.',
      ru: 'Укажите настоящий размер файла.',
    },
  }),
  file_truncated: withFacts({
    status: 400,
    detail: {
      en: ({ declared, found }: SizesFacts) =>
        `The file has ${countText('en', found, 'byte')}, but ${declared} were declared. Upload the whole file again.`,
      uk: ({ declared, found }) =>
        `Розмір файлу — ${countText('uk', found, 'byte')}, а заявлено ${declared}. Завантажте весь файл ще раз.`,
      ru: ({ declared, found }) =>
        `Размер файла — ${countText('ru', found, 'byte')}, а заявлено ${declared}. Загрузите весь файл еще раз.`,
    },
    example: { declared: 1000, found: 999 },
    help: {
      en: 'Upload the whole file again.',
      uk: 'Завантажте весь файл ще раз.',
      ru: 'Загрузите весь файл еще раз.',
    },
  }),
  file_encoded: {
    status: 415,
    detail: {
      en: 'The file was sent with a Content-Encoding header. Send it unencoded, without the header.',
      uk: 'Файл надіслано із заголовком Content-Encoding. Надішліть його без кодування і без цього заголовка.',
      ru: 'Файл отправлен с заголовком Content-Encoding. Отправьте его без кодирования и без этого заголовка.',
    },
    help: {
      en: 'Upload the file as is.',
      uk: 'Завантажте файл таким, який він є.',
      ru: 'Загрузите файл таким, какой он есть.',
    },
  },
  file_not_uploaded: {
    status: 400,
    detail: {
      en: 'The file has not been uploaded, or was deleted. Upload it first.',
      uk: 'Файл не завантажено або його видалено. Спершу завантажте його.',
      ru: 'Файл не загружен или удален. Сначала загрузите его.',
    },
    help: {
      en: 'Start an upload, send the file, then complete the upload.',
      uk: 'Почніть завантаження, надішліть файл, а потім завершіть завантаження.',
      ru: 'Начните загрузку, отправьте файл, затем завершите загрузку.',
    },
  },
  too_many_uploads: withFacts({
    status: 429,
    detail: {
      en: ({ limit, retry_after_seconds }: { limit: number } & Wait) =>
        `Anonymous callers may upload ${countText('en', limit, 'file')} a day. Sign in, or try again ${waitText('en', retry_after_seconds)}.`,
      uk: ({ limit, retry_after_seconds }) =>
        `Без входу можна завантажити ${countText('uk', limit, 'file')} на добу. Увійдіть або повторіть спробу ${waitText('uk', retry_after_seconds)}.`,
      ru: ({ limit, retry_after_seconds }) =>
        `Без входа можно загрузить ${countText('ru', limit, 'file')} в сутки. Войдите или повторите попытку ${waitText('ru', retry_after_seconds)}.`,
    },
    example: { limit: 20, retry_after_seconds: 7200 },
    help: {
      en: 'Sign in: accounts do not have this limit.',
      uk: 'Увійдіть: для облікових записів цього обмеження немає.',
      ru: 'Войдите: для учетных записей этого ограничения нет.',
    },
  }),
  too_many_open_uploads: withFacts({
    status: 429,
    detail: {
      en: ({ limit_gb, retry_after_seconds }: { limit_gb: number } & Wait) =>
        `Uploads that no job uses are limited to ${limit_gb} GB in total. Use them in jobs, ` +
        `or try again ${waitText('en', retry_after_seconds)}, when the first one expires.`,
      uk: ({ limit_gb, retry_after_seconds }) =>
        `Файли, які не використовує жодне завдання, можуть займати разом не більше ${limit_gb} ГБ. Використайте їх у завданнях ` +
        `або повторіть спробу ${waitText('uk', retry_after_seconds)}, коли мине строк зберігання першого з них.`,
      ru: ({ limit_gb, retry_after_seconds }) =>
        `Файлы, которые не использует ни одно задание, могут занимать вместе не более ${limit_gb} ГБ. Используйте их в заданиях ` +
        `или повторите попытку ${waitText('ru', retry_after_seconds)}, когда истечет срок хранения первого из них.`,
    },
    example: { limit_gb: 20, retry_after_seconds: 3600 },
    help: {
      en: 'Use uploads in jobs, or wait until the first one expires.',
      uk: 'Використайте файли в завданнях або дочекайтеся, доки мине строк зберігання першого з них.',
      ru: 'Используйте файлы в заданиях или дождитесь, пока истечет срок хранения первого из них.',
    },
  }),
  upload_not_found: {
    status: 404,
    detail: {
      en: 'Upload not found or expired. Create a new one.',
      uk: 'Завантаження не знайдено або його строк минув. Створіть нове.',
      ru: 'Загрузка не найдена или ее срок истек. Создайте новую.',
    },
    help: {
      en: 'Create the upload again, and send all parts.',
      uk: 'Створіть завантаження ще раз і надішліть усі частини.',
      ru: 'Создайте загрузку еще раз и отправьте все части.',
    },
  },
  file_in_use: {
    status: 409,
    detail: {
      en: 'An open job reads this file. Wait until the job ends, or cancel it.',
      uk: 'Цей файл читає незавершене завдання. Дочекайтеся його завершення або скасуйте його.',
      ru: 'Этот файл читает незавершенное задание. Дождитесь его завершения или отмените его.',
    },
    help: {
      en: 'Delete the file after the jobs that read it have ended.',
      uk: 'Видаліть файл, коли завершаться завдання, які його читають.',
      ru: 'Удалите файл, когда завершатся задания, которые его читают.',
    },
  },
  upload_already_completed: {
    status: 409,
    detail: {
      en: 'The upload is already completed. Use its file in a job.',
      uk: 'Завантаження вже завершено. Використайте його файл у завданні.',
      ru: 'Загрузка уже завершена. Используйте ее файл в задании.',
    },
    help: {
      en: 'Use the URL from the response that completed the upload.',
      uk: 'Використайте URL із відповіді, яка завершила завантаження.',
      ru: 'Используйте URL из ответа, который завершил загрузку.',
    },
  },
  parts_missing: withFacts({
    status: 400,
    detail: {
      en: ({ missing, part_count, first }: PartFacts) =>
        `${missing} of ${countText('en', part_count, 'part')} are missing, beginning with part ${first}. Send them and list all parts.`,
      uk: ({ missing, part_count, first }) =>
        `Бракує частин: ${missing} із ${part_count}, починаючи з частини ${first}. Надішліть їх і перелічіть усі частини.`,
      ru: ({ missing, part_count, first }) =>
        `Не хватает частей: ${missing} из ${part_count}, начиная с части ${first}. Отправьте их и перечислите все части.`,
    },
    example: { missing: 2, part_count: 50, first: 7 },
    help: {
      en: 'Upload the missing parts and list all of them.',
      uk: 'Завантажте відсутні частини й перелічіть усі.',
      ru: 'Загрузите недостающие части и перечислите все.',
    },
  }),
  too_many_parts: withFacts({
    status: 400,
    detail: {
      en: ({ listed, part_count }: { listed: number; part_count: number }) =>
        `The upload has ${countText('en', part_count, 'part')}, but ${listed} are listed. List each part once.`,
      uk: ({ listed, part_count }) =>
        `Завантаження має ${countText('uk', part_count, 'part')}, а перелічено ${listed}. Укажіть кожну частину один раз.`,
      ru: ({ listed, part_count }) =>
        `Загрузка имеет ${countText('ru', part_count, 'part')}, а перечислено ${listed}. Укажите каждую часть один раз.`,
    },
    example: { listed: 51, part_count: 50 },
    help: {
      en: 'List each part once.',
      uk: 'Укажіть кожну частину один раз.',
      ru: 'Укажите каждую часть один раз.',
    },
  }),
  parts_out_of_order: {
    status: 400,
    detail: {
      en: 'The parts are not in ascending order. Sort them by part_number.',
      uk: 'Частини йдуть не за зростанням. Упорядкуйте їх за part_number.',
      ru: 'Части идут не по возрастанию. Упорядочьте их по part_number.',
    },
    help: {
      en: 'Sort the parts by part_number.',
      uk: 'Упорядкуйте частини за part_number.',
      ru: 'Упорядочьте части по part_number.',
    },
  },
  part_mismatch: {
    status: 400,
    detail: {
      en: 'A listed part does not match the uploaded part. Upload missing parts, and list the ETag of each part.',
      uk: 'Указана частина не збігається із завантаженою. Завантажте відсутні частини та вкажіть ETag кожної.',
      ru: 'Указанная часть не совпадает с загруженной. Загрузите недостающие части и укажите ETag каждой.',
    },
    help: {
      en: 'List the ETag that storage returned for each part.',
      uk: 'Укажіть ETag, який сховище повернуло для кожної частини.',
      ru: 'Укажите ETag, который хранилище вернуло для каждой части.',
    },
  },
} as const satisfies Record<string, ErrorEntry>
