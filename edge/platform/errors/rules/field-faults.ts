import { fillTexts, fromFacts, packTexts, type Texts, type TextsFrom } from '../../../../shared/text/texts.ts'
import { countText } from '../../../../shared/text/words.ts'
import { DEPTH_MAX, type Unstorable } from '../../http/rules/storable.ts'
import { ADDRESS_FAULTS } from './address-faults.ts'
import type { InputFault } from './entry.ts'
import { FORM_FAULTS, type FormFault } from './form-faults.ts'
import { OFFER_FAULTS } from './offer-faults.ts'

const UNSTORABLE: Record<Unstorable, Texts> = {
  lone_surrogate: {
    en: 'The body contains a lone surrogate. Remove it.',
    uk: 'Тіло запиту містить непарний сурогат. Видаліть його.',
    ru: 'Тело запроса содержит непарный суррогат. Удалите его.',
  },
  too_deep: {
    en: `The body is nested more than ${DEPTH_MAX} levels deep. Simplify it.`,
    uk: `Рівнів вкладеності в тілі запиту більше, ніж ${DEPTH_MAX}. Спростіть його.`,
    ru: `Уровней вложенности в теле запроса больше, чем ${DEPTH_MAX}. Упростите его.`,
  },
  reserved_name: {
    en: 'The body has a field named __proto__. Use another name.',
    uk: 'Тіло запиту містить поле з назвою __proto__. Використайте іншу назву.',
    ru: 'Тело запроса содержит поле с именем __proto__. Используйте другое имя.',
  },
}

/**
 * The faults of a single field. The code is `type` in the body; the sentence is `msg`. Contract: Errors, Status
 * 422.
 */
export const FIELD_FAULTS = {
  ...ADDRESS_FAULTS,
  ...OFFER_FAULTS,
  invalid_email: {
    en: 'The email address is invalid. Check its spelling.',
    uk: 'Адреса електронної пошти недійсна. Перевірте, чи правильно її написано.',
    ru: 'Адрес электронной почты недействителен. Проверьте, правильно ли он написан.',
  },
  email_domain_unreachable: {
    en: 'The domain of this email address does not receive email. Check its spelling.',
    uk: 'Домен цієї адреси не приймає електронну пошту. Перевірте, чи правильно її написано.',
    ru: 'Домен этого адреса не принимает электронную почту. Проверьте, правильно ли он написан.',
  },
  disposable_email: {
    en: 'Disposable email addresses are not accepted. Use a permanent one.',
    uk: 'Одноразові адреси електронної пошти не приймаються. Використайте постійну.',
    ru: 'Одноразовые адреса электронной почты не принимаются. Используйте постоянный.',
  },
  weak_password: {
    en: 'Password is too common. Choose a different one.',
    uk: 'Пароль надто поширений. Виберіть інший.',
    ru: 'Пароль слишком распространенный. Выберите другой.',
  },
  address_mismatch: {
    en: 'This is not the email address of the account. Enter the address to confirm.',
    uk: 'Це не адреса електронної пошти облікового запису. Введіть її, щоб підтвердити.',
    ru: 'Это не адрес электронной почты учетной записи. Введите его, чтобы подтвердить.',
  },
  not_a_site_path: {
    en: 'Must be a path on this site. Send one like /studio.',
    uk: 'Має бути шлях на цьому сайті. Надішліть, наприклад, /studio.',
    ru: 'Должен быть путь на этом сайте. Отправьте, например, /studio.',
  },
  ambiguous_operation: {
    en: 'The tool is missing or ambiguous. Send operation_id, or service_slug and operation_key.',
    uk: 'Інструмент не вказано або вказано неоднозначно. Надішліть operation_id або service_slug і operation_key.',
    ru: 'Инструмент не указан или указан неоднозначно. Отправьте operation_id или service_slug и operation_key.',
  },
  ambiguous_account: {
    en: 'The account is missing or ambiguous. Send either account_id or email.',
    uk: 'Обліковий запис не вказано або вказано неоднозначно. Надішліть account_id або email.',
    ru: 'Учетная запись не указана или указана неоднозначно. Отправьте account_id или email.',
  },
  tool_mismatch: {
    en: 'operation_id does not match service_slug and operation_key. Send only one of the two forms.',
    uk: 'operation_id не відповідає service_slug і operation_key. Надішліть лише одне з двох.',
    ru: 'operation_id не соответствует service_slug и operation_key. Отправьте только одно из двух.',
  },
  file_url_and_url: {
    en: 'Send either file_url or url, not both.',
    uk: 'Надішліть або file_url, або url, але не обидва.',
    ru: 'Отправьте либо file_url, либо url, но не оба.',
  },
  file_urls_or_files: {
    en: 'The files are missing or ambiguous. Send either file_urls or files.',
    uk: 'Файли не вказано або вказано неоднозначно. Надішліть file_urls або files.',
    ru: 'Файлы не указаны или указаны неоднозначно. Отправьте file_urls или files.',
  },
  preset_not_found: fromFacts({
    en: ({ operation, count }: { operation: string; count: number }) =>
      `${operation} has ${countText('en', count, 'preset')}, numbered from 0. Use one of them.`,
    uk: ({ operation, count }) =>
      `Операція ${operation} має ${countText('uk', count, 'preset')} з нумерацією від 0. Використайте один із них.`,
    ru: ({ operation, count }) =>
      `Операция ${operation} имеет ${countText('ru', count, 'preset')} с нумерацией от 0. Используйте один из них.`,
  }),
  invalid_preset: fromFacts({
    en: ({ reason }: { reason: Texts }) => `The preset is invalid for this operation: ${reason.en}.`,
    uk: ({ reason }) => `Пресет недопустимий для цієї операції: ${reason.uk}.`,
    ru: ({ reason }) => `Пресет недопустим для этой операции: ${reason.ru}.`,
  }),
  duplicate_preset: fromFacts({
    en: ({ label }: { label: string }) => `Two presets have the label ${label}. Use different labels.`,
    uk: ({ label }) => `Два пресети мають назву ${label}. Дайте їм різні назви.`,
    ru: ({ label }) => `Два пресета имеют название ${label}. Дайте им разные названия.`,
  }),
  invalid_cursor: {
    en: 'The cursor is invalid. Use the URL from the Link header as is.',
    uk: 'Недійсний cursor. Використайте URL із заголовка Link без змін.',
    ru: 'Недействительный cursor. Используйте URL из заголовка Link без изменений.',
  },
  offset_too_large: {
    en: 'Must be at most 1000 in this list. Use its filters, or the URL from the Link header.',
    uk: 'У цьому списку має бути не більше 1000. Використайте фільтри або URL із заголовка Link.',
    ru: 'В этом списке должно быть не больше 1000. Используйте фильтры или URL из заголовка Link.',
  },
  template_job_param: {
    en: 'Must not contain file_url, url, filename or operations. Send them with the job.',
    uk: 'Не має містити file_url, url, filename чи operations. Надішліть їх разом із завданням.',
    ru: 'Не должно содержать file_url, url, filename или operations. Отправьте их вместе с заданием.',
  },
  unstorable_params: {
    en: 'Must be JSON without deep nesting, lone surrogates or the name __proto__. Simplify the params.',
    uk: 'Має бути JSON без глибокої вкладеності, непарних сурогатів і назви __proto__. Спростіть params.',
    ru: 'Должен быть JSON без глубокой вложенности, непарных суррогатов и имени __proto__. Упростите params.',
  },
  unstorable_metadata: {
    en: 'Must be JSON without lone surrogates or the name __proto__. Correct the metadata.',
    uk: 'Має бути JSON без непарних сурогатів і назви __proto__. Виправте метадані.',
    ru: 'Должен быть JSON без непарных суррогатов и имени __proto__. Исправьте метаданные.',
  },
  invalid_template_name: {
    en: 'Must be 1 to 64 lowercase letters, digits, _ and -, beginning with a letter or digit. Choose such a name.',
    uk: 'Має бути від 1 до 64 малих латинських літер, цифр, _ і -; перший символ — літера або цифра. Виберіть таку назву.',
    ru: 'Должно быть от 1 до 64 строчных латинских букв, цифр, _ и -; первый символ — буква или цифра. Выберите такое имя.',
  },
  invalid_metadata_value: {
    en: 'Must be a string, a number, a Boolean, or null. Send nested values as a JSON string.',
    uk: 'Має бути рядок, число, true, false або null. Вкладені значення надсилайте як рядок JSON.',
    ru: 'Должна быть строка, число, true, false или null. Вложенные значения отправляйте как строку JSON.',
  },
  header_not_allowed: {
    en: 'Only Authorization, Cookie, Referer, User-Agent and X-* are allowed, except X-Forwarded-*. Remove other headers.',
    uk: 'Дозволено лише Authorization, Cookie, Referer, User-Agent і X-*, крім X-Forwarded-*. Видаліть інші заголовки.',
    ru: 'Допускаются только Authorization, Cookie, Referer, User-Agent и X-*, кроме X-Forwarded-*. Удалите другие заголовки.',
  },
  invalid_header_value: {
    en: 'A header value must be printable ASCII without spaces around it. Correct or encode it.',
    uk: 'Значення заголовка має складатися з друкованих символів ASCII без пробілів по краях. Виправте або закодуйте його.',
    ru: 'Значение заголовка должно состоять из печатных символов ASCII без пробелов по краям. Исправьте или закодируйте его.',
  },
  too_many_headers: {
    en: 'Must be at most 10 headers with 4096 bytes in total, each name once. Send fewer headers.',
    uk: 'Має бути не більше 10 заголовків із різними назвами, разом до 4096 байтів. Надішліть менше заголовків.',
    ru: 'Должно быть не больше 10 заголовков с разными именами, вместе до 4096 байт. Отправьте меньше заголовков.',
  },
  headers_need_url: {
    en: 'Headers are sent only for a public URL. Remove them, or use a URL that the service imports.',
    uk: 'Заголовки надсилаються лише для загальнодоступного URL. Видаліть їх або вкажіть URL, який імпортує сервіс.',
    ru: 'Заголовки отправляются только для общедоступного URL. Удалите их или укажите URL, который импортирует сервис.',
  },
  metadata_too_large: {
    en: 'metadata is larger than 2048 bytes as JSON. Shorten it.',
    uk: 'Розмір metadata у вигляді JSON перевищує 2048 байтів. Скоротіть його.',
    ru: 'Размер metadata в виде JSON превышает 2048 байт. Сократите его.',
  },
  unstorable_body: fromFacts({
    en: ({ reason }: { reason: Unstorable }) => UNSTORABLE[reason].en,
    uk: ({ reason }) => UNSTORABLE[reason].uk,
    ru: ({ reason }) => UNSTORABLE[reason].ru,
  }),
  json_invalid: {
    en: 'The body is not valid JSON in UTF-8. Send a JSON object.',
    uk: 'Тіло запиту не є правильним JSON у кодуванні UTF-8. Надішліть об’єкт JSON.',
    ru: 'Тело запроса не является правильным JSON в кодировке UTF-8. Отправьте объект JSON.',
  },
  form_invalid: fromFacts({
    en: ({ reason, field }: { reason: FormFault; field: string }) => FORM_FAULTS[reason].en(field),
    uk: ({ reason, field }) => FORM_FAULTS[reason].uk(field),
    ru: ({ reason, field }) => FORM_FAULTS[reason].ru(field),
  }),
  json_not_form: fromFacts({
    en: ({ endpoint }: { endpoint: string }) =>
      `The body is JSON, but this endpoint accepts a form with a file. Send JSON to ${endpoint}, or the file as multipart/form-data.`,
    uk: ({ endpoint }) =>
      `Тіло запиту — JSON, а цей метод приймає форму з файлом. Надішліть JSON через ${endpoint} або файл як multipart/form-data.`,
    ru: ({ endpoint }) =>
      `Тело запроса — JSON, а этот метод принимает форму с файлом. Отправьте JSON через ${endpoint} или файл как multipart/form-data.`,
  }),
  inexact_integer: {
    en: 'The integer has more digits than a number can hold, so it would be changed. Send it as a string.',
    uk: 'Ціле число має більше цифр, ніж вміщує число, тому воно змінилося б. Надішліть його як рядок.',
    ru: 'В целом числе больше цифр, чем вмещает число, поэтому оно изменилось бы. Отправьте его как строку.',
  },
  json_text_invalid: {
    en: 'The text in this field is not valid JSON. Send a JSON object as text, such as {"level":"medium"}.',
    uk: 'Текст у цьому полі не є правильним JSON. Надішліть об’єкт JSON як текст, наприклад {"level":"medium"}.',
    ru: 'Текст в этом поле не является правильным JSON. Отправьте объект JSON как текст, например {"level":"medium"}.',
  },
  file_missing: {
    en: 'The form has no file. Send the file in the field `file`.',
    uk: 'У формі немає файлу. Надішліть файл у полі `file`.',
    ru: 'В форме нет файла. Отправьте файл в поле `file`.',
  },
  file_empty: {
    en: 'The file is empty. Send a file that is not empty.',
    uk: 'Файл порожній. Надішліть непорожній файл.',
    ru: 'Файл пуст. Отправьте непустой файл.',
  },
  part_out_of_range: fromFacts({
    en: ({ part_count }: { part_count: number }) =>
      `The upload has parts 1 to ${part_count}. Use one of these numbers.`,
    uk: ({ part_count }) =>
      `Завантаження має частини від 1 до ${part_count}. Використайте один із цих номерів.`,
    ru: ({ part_count }) => `У загрузки есть части от 1 до ${part_count}. Используйте один из этих номеров.`,
  }),
  too_many_client_parts: fromFacts({
    en: ({ part_count, part_count_max }: { part_count: number; part_count_max: number }) =>
      `The file would have ${countText('en', part_count, 'part')}, but storage allows ${part_count_max}. Use a larger part_size.`,
    uk: ({ part_count, part_count_max }) =>
      `Файл мав би ${countText('uk', part_count, 'part')}, а сховище дозволяє ${part_count_max}. Укажіть більший part_size.`,
    ru: ({ part_count, part_count_max }) =>
      `Файл имел бы ${countText('ru', part_count, 'part')}, а хранилище допускает ${part_count_max}. Укажите больший part_size.`,
  }),
  declaration_missing: {
    en: 'A new upload requires filename, content_type and size_bytes. Send all three.',
    uk: 'Для нового завантаження потрібні filename, content_type і size_bytes. Надішліть усі три.',
    ru: 'Для новой загрузки нужны filename, content_type и size_bytes. Отправьте все три.',
  },
  upload_key_missing: {
    en: 'The key is missing. Send the key from the response that created the upload.',
    uk: 'Немає key. Надішліть key із відповіді, яка створила завантаження.',
    ru: 'Нет key. Отправьте key из ответа, который создал загрузку.',
  },
  upload_id_missing: {
    en: 'This method requires the upload_id of a multipart upload. Send it, or use PUT or POST.',
    uk: 'Для цього методу потрібен upload_id завантаження частинами. Надішліть його або використайте PUT чи POST.',
    ru: 'Для этого метода нужен upload_id загрузки частями. Отправьте его или используйте PUT либо POST.',
  },
  misplaced_part_number: {
    en: 'part_number is required to PUT a part, and not allowed otherwise.',
    uk: 'part_number потрібен, щоб надіслати частину методом PUT, і не допускається в інших випадках.',
    ru: 'part_number нужен, чтобы отправить часть методом PUT, и не допускается в других случаях.',
  },
  batch_too_large: fromFacts({
    en: ({ files, in_flight_max }: { files: number; in_flight_max: number }) =>
      `The batch has ${countText('en', files, 'file')}, but your plan allows ${in_flight_max} in flight. Send at most ${countText('en', in_flight_max, 'file')} in one batch.`,
    uk: ({ files, in_flight_max }) =>
      `Пакет містить ${countText('uk', files, 'file')}, а ваш тариф дозволяє одночасно ${in_flight_max}. Надішліть в одному пакеті щонайбільше ${countText('uk', in_flight_max, 'file')}.`,
    ru: ({ files, in_flight_max }) =>
      `Пакет содержит ${countText('ru', files, 'file')}, а ваш тариф допускает одновременно ${in_flight_max}. Отправьте в одном пакете максимум ${countText('ru', in_flight_max, 'file')}.`,
  }),
  nothing_to_change: {
    en: 'The body has no fields to change. Send at least one.',
    uk: 'У тілі немає поля для зміни. Надішліть принаймні одне.',
    ru: 'В теле нет поля для изменения. Отправьте хотя бы одно.',
  },
  webhook_needs_account: {
    en: 'Webhooks require an account. Sign in, or omit webhook_url.',
    uk: 'Для вебхуків потрібен обліковий запис. Увійдіть або не вказуйте webhook_url.',
    ru: 'Для вебхуков нужна учетная запись. Войдите или не указывайте webhook_url.',
  },
  message_too_short: fromFacts({
    en: ({ length_min }: { length_min: number }) =>
      `The message has fewer than ${countText('en', length_min, 'character')}. Write a longer one.`,
    uk: ({ length_min }) =>
      `Повідомлення має містити щонайменше ${countText('uk', length_min, 'character')}. Напишіть довше.`,
    ru: ({ length_min }) =>
      `Сообщение должно содержать минимум ${countText('ru', length_min, 'character')}. Напишите подлиннее.`,
  }),
  message_too_long: fromFacts({
    en: ({ length_max }: { length_max: number }) =>
      `The message has more than ${countText('en', length_max, 'character')}. Shorten it.`,
    uk: ({ length_max }) =>
      `Повідомлення може містити щонайбільше ${countText('uk', length_max, 'character')}. Скоротіть його.`,
    ru: ({ length_max }) =>
      `Сообщение может содержать максимум ${countText('ru', length_max, 'character')}. Сократите его.`,
  }),
  idempotency_key_reused: {
    en: 'This Idempotency-Key was used for another request. Use a new key.',
    uk: 'Цей Idempotency-Key уже використано для іншого запиту. Використайте новий ключ.',
    ru: 'Этот Idempotency-Key уже использован для другого запроса. Используйте новый ключ.',
  },
} satisfies Record<string, Texts | TextsFrom<never>>

export type FieldFault = keyof typeof FIELD_FAULTS
export type FieldFacts<Code extends FieldFault> = (typeof FIELD_FAULTS)[Code] extends {
  en: (facts: infer Facts) => string
}
  ? [facts: Facts]
  : []

/**
 * Describes a fault at a location in the input.
 * @param loc starts with body, query, path or header.
 */
export function faultAt<Code extends FieldFault>(
  loc: InputFault['loc'],
  code: Code,
  ...[facts]: FieldFacts<Code>
): InputFault {
  return { loc, msg: fillTexts(FIELD_FAULTS[code], facts), type: code }
}

type FixedFault = { [Code in FieldFault]: FieldFacts<Code> extends [] ? Code : never }[FieldFault]

/** Returns the same fault for a schema, as the parameters of a refinement or an issue. */
export function schemaFault(code: FixedFault): { message: string; params: { fault: FieldFault } } {
  return { message: packTexts(FIELD_FAULTS[code]), params: { fault: code } }
}
