import { countText, sizeText, waitText } from '../../../../shared/text/words.ts'
import { type ErrorEntry, type Wait, withFacts } from './entry.ts'

const VERDICTS = {
  over: { en: 'over', uk: 'завершено', ru: 'завершено' },
  superseded: { en: 'superseded', uk: 'передано іншій спробі', ru: 'передано другой попытке' },
}

/** Errors for jobs and batches. */
export const JOB_ERRORS = {
  insufficient_credits: withFacts({
    status: 402,
    detail: {
      en: (_: { needed: number; available: number }) => 'not enough credits',
      uk: ({ needed, available }) =>
        `Недостатньо бонусів: потрібно ${countText('uk', needed, 'credit')}, доступно ${available}.`,
      ru: ({ needed, available }) =>
        `Недостаточно бонусов: нужно ${countText('ru', needed, 'credit')}, доступно ${available}.`,
    },
    example: { needed: 12, available: 5 },
    literal: true,
    fields: ['needed', 'available'],
    help: {
      en: ({ needed, available }) =>
        `Top up, or wait for the next daily credits: ${countText('en', needed, 'credit')} needed, ${available} available.`,
      uk: ({ needed, available }) =>
        `Поповніть баланс або дочекайтеся наступних щоденних бонусів: потрібно ${countText('uk', needed, 'credit')}, доступно ${available}.`,
      ru: ({ needed, available }) =>
        `Пополните баланс или дождитесь следующих ежедневных бонусов: нужно ${countText('ru', needed, 'credit')}, доступно ${available}.`,
    },
  }),
  too_many_jobs_in_flight: withFacts({
    status: 429,
    detail: {
      en: ({ open, in_flight_max }: { open: number; in_flight_max: number }) =>
        `Too many jobs in flight: ${open} are open and your plan allows ${in_flight_max}. Wait for one to end.`,
      uk: ({ open, in_flight_max }) =>
        `Забагато одночасних завдань: відкрито ${open}, а ваш тариф дозволяє ${in_flight_max}. Дочекайтеся завершення одного з них.`,
      ru: ({ open, in_flight_max }) =>
        `Слишком много одновременных заданий: открыто ${open}, а ваш тариф допускает ${in_flight_max}. Дождитесь завершения одного из них.`,
    },
    example: { open: 5, in_flight_max: 5 },
    retry_after_seconds: 10,
    help: {
      en: 'Submit again when a job has ended.',
      uk: 'Надішліть ще раз, коли якесь завдання завершиться.',
      ru: 'Отправьте снова, когда какое-либо задание завершится.',
    },
  }),
  too_much_unpaid_work: withFacts({
    status: 429,
    detail: {
      en: ({ minutes_max, retry_after_seconds }: { minutes_max: number } & Wait) =>
        `You reached the daily limit of ${minutes_max} minutes of unpaid processing (jobs that failed or were canceled). ` +
        `Try again ${waitText('en', retry_after_seconds)}.`,
      uk: ({ minutes_max, retry_after_seconds }) =>
        `Досягнуто добового обмеження неоплаченої обробки (невдалі та скасовані завдання): ${minutes_max} хв. ` +
        `Повторіть спробу ${waitText('uk', retry_after_seconds)}.`,
      ru: ({ minutes_max, retry_after_seconds }) =>
        `Достигнуто суточное ограничение неоплаченной обработки (неудачные и отмененные задания): ${minutes_max} мин. ` +
        `Повторите попытку ${waitText('ru', retry_after_seconds)}.`,
    },
    example: { minutes_max: 60, retry_after_seconds: 7200 },
    help: {
      en: 'Check why your jobs fail, and wait as long as Retry-After says.',
      uk: 'З’ясуйте, чому завдання завершуються помилкою, і зачекайте стільки, скільки вказано в Retry-After.',
      ru: 'Выясните, почему задания завершаются ошибкой, и подождите столько, сколько указано в Retry-After.',
    },
  }),
  job_not_found: {
    status: 404,
    detail: {
      en: 'Job not found. Check its id.',
      uk: 'Завдання не знайдено. Перевірте його ідентифікатор.',
      ru: 'Задание не найдено. Проверьте его идентификатор.',
    },
    help: {
      en: "Check the id and the account: other accounts' jobs are reported as not found.",
      uk: 'Перевірте ідентифікатор і обліковий запис: завдання інших облікових записів вважаються незнайденими.',
      ru: 'Проверьте идентификатор и учетную запись: задания других учетных записей считаются ненайденными.',
    },
  },
  job_already_finished: withFacts({
    status: 409,
    detail: {
      en: ({ status }: { status: string }) =>
        `The job is already finished: its status is ${status}. Run it again with /repeat.`,
      uk: ({ status }) =>
        `Завдання вже завершено: його стан — ${status}. Запустіть його знову через /repeat.`,
      ru: ({ status }) =>
        `Задание уже завершено: его состояние — ${status}. Запустите его снова через /repeat.`,
    },
    example: { status: 'done' },
    help: {
      en: 'Read the job; nothing was changed.',
      uk: 'Прочитайте завдання; нічого не змінено.',
      ru: 'Прочитайте задание; ничего не изменено.',
    },
  }),
  job_not_finished: withFacts({
    status: 409,
    detail: {
      en: ({ status }: { status: string }) =>
        `The job is not finished: its status is ${status}. Wait until it ends.`,
      uk: ({ status }) => `Завдання ще не завершено: його стан — ${status}. Дочекайтеся завершення.`,
      ru: ({ status }) => `Задание еще не завершено: его состояние — ${status}. Дождитесь завершения.`,
    },
    example: { status: 'processing' },
    help: {
      en: 'Poll the job until it has ended.',
      uk: 'Опитуйте завдання, доки воно не завершиться.',
      ru: 'Опрашивайте задание, пока оно не завершится.',
    },
  }),
  import_headers_not_kept: {
    status: 409,
    detail: {
      en: 'It was submitted with headers, which are not kept. Submit it again with its headers.',
      uk: 'Заголовки, з якими це надіслано, не зберігаються. Надішліть ще раз разом із заголовками.',
      ru: 'Заголовки, с которыми это отправлено, не сохраняются. Отправьте еще раз вместе с заголовками.',
    },
    help: {
      en: 'Submit a new job or batch with the same parameters and headers.',
      uk: 'Надішліть нове завдання або пакет із тими самими параметрами та заголовками.',
      ru: 'Отправьте новое задание или пакет с теми же параметрами и заголовками.',
    },
  },
  job_not_done: withFacts({
    status: 409,
    detail: {
      en: ({ status }: { status: string }) =>
        `The job is not done: its status is ${status}. Only finished results can be delivered.`,
      uk: ({ status }) =>
        `Завдання не виконано: його стан — ${status}. Доставити можна лише готовий результат.`,
      ru: ({ status }) =>
        `Задание не выполнено: его состояние — ${status}. Доставить можно только готовый результат.`,
    },
    example: { status: 'processing' },
    help: {
      en: 'Wait until the job is done.',
      uk: 'Дочекайтеся виконання завдання.',
      ru: 'Дождитесь выполнения задания.',
    },
  }),
  template_not_found: {
    status: 404,
    detail: {
      en: 'Template or version not found. Check its name and number.',
      uk: 'Шаблон або його версію не знайдено. Перевірте назву й номер.',
      ru: 'Шаблон или его версия не найдены. Проверьте название и номер.',
    },
    help: {
      en: 'Use a name from the list of templates, and an existing version of that template.',
      uk: 'Використайте назву зі списку шаблонів і наявну версію.',
      ru: 'Используйте название из списка шаблонов и имеющуюся версию.',
    },
  },
  too_many_templates: withFacts({
    status: 409,
    detail: {
      en: ({ templates_max }: { templates_max: number }) =>
        `An account can have up to ${templates_max} templates. Delete one first.`,
      uk: ({ templates_max }) =>
        `Обліковий запис може мати до ${templates_max} шаблонів. Спершу видаліть один.`,
      ru: ({ templates_max }) =>
        `У учетной записи может быть до ${templates_max} шаблонов. Сначала удалите один.`,
    },
    example: { templates_max: 100 },
    help: {
      en: 'Delete a template that you no longer use.',
      uk: 'Видаліть непотрібний шаблон.',
      ru: 'Удалите ненужный шаблон.',
    },
  }),
  templates_too_large: withFacts({
    status: 409,
    detail: {
      en: ({ bytes_max }: { bytes_max: number }) =>
        `The templates of an account can have ${sizeText('en', bytes_max)} in total, with all their versions. Delete a template first.`,
      uk: ({ bytes_max }) =>
        `Шаблони облікового запису з усіма версіями можуть займати разом не більше ${sizeText('uk', bytes_max)}. Спершу видаліть шаблон.`,
      ru: ({ bytes_max }) =>
        `Шаблоны учетной записи со всеми версиями могут занимать вместе не более ${sizeText('ru', bytes_max)}. Сначала удалите шаблон.`,
    },
    example: { bytes_max: 4 * 1024 ** 2 },
    help: {
      en: 'Delete templates, or save one with many versions under a new name and delete the old one.',
      uk: 'Видаліть шаблони або збережіть шаблон із багатьма версіями під новою назвою і видаліть старий.',
      ru: 'Удалите шаблоны или сохраните шаблон со многими версиями под новым именем и удалите старый.',
    },
  }),
  too_many_template_versions: withFacts({
    status: 409,
    detail: {
      en: ({ versions_max }: { versions_max: number }) =>
        `A template can have up to ${versions_max} versions. Save the content under a new name, or delete the template first.`,
      uk: ({ versions_max }) =>
        `Шаблон може мати до ${versions_max} версій. Збережіть вміст під новою назвою або спершу видаліть шаблон.`,
      ru: ({ versions_max }) =>
        `У шаблона может быть до ${versions_max} версий. Сохраните содержимое под новым названием или сначала удалите шаблон.`,
    },
    example: { versions_max: 100 },
    help: {
      en: 'Save the content under a new name, or delete the template.',
      uk: 'Збережіть вміст під новою назвою або видаліть шаблон.',
      ru: 'Сохраните содержимое под новым названием или удалите шаблон.',
    },
  }),
  batch_not_found: {
    status: 404,
    detail: {
      en: 'Batch not found. Check its id.',
      uk: 'Пакет не знайдено. Перевірте його ідентифікатор.',
      ru: 'Пакет не найден. Проверьте его идентификатор.',
    },
    help: {
      en: "Check the id and the account: other accounts' batches are reported as not found.",
      uk: 'Перевірте ідентифікатор і обліковий запис: пакети інших облікових записів вважаються незнайденими.',
      ru: 'Проверьте идентификатор и учетную запись: пакеты других учетных записей считаются ненайденными.',
    },
  },
  batch_already_finished: {
    status: 409,
    detail: {
      en: 'The batch is already finished. Read its files instead.',
      uk: 'Пакет уже завершено. Прочитайте його файли.',
      ru: 'Пакет уже завершен. Прочитайте его файлы.',
    },
    help: {
      en: 'Read the batch; nothing was changed.',
      uk: 'Прочитайте пакет; нічого не змінено.',
      ru: 'Прочитайте пакет; ничего не изменено.',
    },
  },
  invalid_report: {
    status: 422,
    detail: {
      en: 'The body is not a valid worker protocol report. Use the same release on both sides.',
      uk: 'Тіло запиту не є правильним звітом протоколу обробників. Використайте однаковий випуск з обох боків.',
      ru: 'Тело запроса не является правильным отчетом протокола обработчиков. Используйте один выпуск с обеих сторон.',
    },
    help: {
      en: 'Deploy the same release of the workers and the service.',
      uk: 'Розгорніть обробники й сервіс одного випуску.',
      ru: 'Разверните обработчики и сервис одного выпуска.',
    },
  },
  report_id_reused: {
    status: 409,
    detail: {
      en: 'This report id was used for another report. Give each report its own id.',
      uk: 'Цей ідентифікатор уже має інший звіт. Надавайте кожному звіту власний ідентифікатор.',
      ru: 'Этот идентификатор уже есть у другого отчета. Давайте каждому отчету собственный идентификатор.',
    },
    help: {
      en: 'Give each report its own id.',
      uk: 'Надавайте кожному звіту власний ідентифікатор.',
      ru: 'Давайте каждому отчету собственный идентификатор.',
    },
  },
  report_too_late: withFacts({
    status: 409,
    detail: {
      en: ({ verdict }: { verdict: keyof typeof VERDICTS }) =>
        `The report is too late: the job is ${VERDICTS[verdict].en}. Discard the work.`,
      uk: ({ verdict }) => `Звіт запізнився: завдання ${VERDICTS[verdict].uk}. Відкиньте цю роботу.`,
      ru: ({ verdict }) => `Отчет опоздал: задание ${VERDICTS[verdict].ru}. Отбросьте эту работу.`,
    },
    example: { verdict: 'over' },
    help: {
      en: 'Discard what this attempt has written.',
      uk: 'Відкиньте те, що записала ця спроба.',
      ru: 'Отбросьте то, что записала эта попытка.',
    },
  }),
} as const satisfies Record<string, ErrorEntry>
