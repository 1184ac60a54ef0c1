import type { Texts } from '../../../../shared/text/texts.ts'

/** Faults of addresses: of webhooks, origins, storage endpoints, and of the objects that jobs write. */
export const ADDRESS_FAULTS = {
  unencrypted_webhook_url: {
    en: 'Must be an https URL: this service sends no webhooks to http. Use an https URL.',
    uk: 'Має бути URL https: цей сервіс не надсилає вебхуків на http. Використайте URL https.',
    ru: 'Должен быть URL https: этот сервис не отправляет вебхуки на http. Используйте URL https.',
  },
  unsafe_webhook_url: {
    en: 'Must be a public http or https URL. Private and reserved addresses are not allowed.',
    uk: 'Має бути загальнодоступний URL http або https. Приватні та зарезервовані адреси не дозволені.',
    ru: 'Должен быть общедоступный URL http или https. Частные и зарезервированные адреса не разрешены.',
  },
  unresolvable_webhook_host: {
    en: 'The host name does not resolve. Check its spelling.',
    uk: 'Ім’я хоста не вдається розпізнати. Перевірте, чи правильно його написано.',
    ru: 'Имя хоста не удается разрешить. Проверьте, правильно ли оно написано.',
  },
  invalid_origin: {
    en: 'Must be an origin, such as https://app.example.com or http://localhost:3000: no path, no wildcard, no default port.',
    uk: 'Має бути джерелом, як-от https://app.example.com або http://localhost:3000: без шляху, шаблону чи стандартного порту.',
    ru: 'Должен быть источником, например https://app.example.com или http://localhost:3000: без пути, шаблона и стандартного порта.',
  },
  unsafe_storage_endpoint: {
    en: 'Must be a public https URL without a query or credentials. Private and reserved addresses are not allowed.',
    uk: 'Має бути публічна https-адреса без запиту та облікових даних. Приватні й зарезервовані адреси не дозволені.',
    ru: 'Должен быть публичный https-адрес без запроса и учетных данных. Частные и зарезервированные адреса не разрешены.',
  },
  unresolvable_storage_endpoint: {
    en: 'The host name does not resolve. Check its spelling.',
    uk: 'Імʼя хоста не знайдено в DNS. Перевірте, чи правильно його написано.',
    ru: 'Имя хоста не найдено в DNS. Проверьте, правильно ли оно написано.',
  },
  invalid_object_key: {
    en: 'Must be at most 1024 bytes, with no control characters and no . or .. segments. Choose another key.',
    uk: 'Має бути до 1024 байтів без керівних символів і сегментів . та ... Виберіть інший ключ.',
    ru: 'Должно быть до 1024 байт без управляющих символов и сегментов . и ... Выберите другой ключ.',
  },
  invalid_output_key: {
    en: 'Must be a key of 1 to 1024 bytes with no slash at its start or end, no . or .. segments, no control characters, and no placeholders other than {job_id}, {filename} and {operation_key}. Correct it.',
    uk: 'Має бути ключ від 1 до 1024 байтів без скісної риски на початку чи в кінці, сегментів «.» і «..», керівних символів та інших змінних, крім {job_id}, {filename} і {operation_key}. Виправте його.',
    ru: 'Должен быть ключ от 1 до 1024 байт без косой черты в начале и в конце, сегментов «.» и «..», управляющих символов и других переменных, кроме {job_id}, {filename} и {operation_key}. Исправьте его.',
  },
  unknown_storage_connection: {
    en: 'No storage connection has this name. Use a name from GET /api/v1/storage-connections.',
    uk: 'Підключення сховища з такою назвою немає. Використайте назву з GET /api/v1/storage-connections.',
    ru: 'Подключения хранилища с таким именем нет. Используйте имя из GET /api/v1/storage-connections.',
  },
  output_key_too_long: {
    en: 'With the folder of the connection and a long file name, the key can exceed 1024 bytes. Use a shorter one.',
    uk: 'Разом із папкою підключення і довгою назвою файлу ключ може перевищити 1024 байти. Використайте коротший.',
    ru: 'Вместе с папкой подключения и длинным именем файла ключ может превысить 1024 байта. Используйте более короткий.',
  },
  output_key_repeats: {
    en: 'All files in the batch would have this key. Add {job_id} or {filename} to it.',
    uk: 'Усі файли пакета мали б цей ключ. Додайте до нього {job_id} або {filename}.',
    ru: 'Все файлы пакета имели бы этот ключ. Добавьте в него {job_id} или {filename}.',
  },
  output_needs_account: {
    en: 'Exports require an account. Sign in, or omit output.',
    uk: 'Для експорту потрібен обліковий запис. Увійдіть або не надсилайте output.',
    ru: 'Для экспорта нужна учетная запись. Войдите или не отправляйте output.',
  },
} satisfies Record<string, Texts>
