import type { Job } from '../../client/src/index.ts'
import { defineTexts } from '../text/define-texts.ts'

const statuses = defineTexts({
  en: {
    queued: 'Waiting',
    processing: 'In progress',
    done: 'Done',
    failed: 'Failed',
    canceled: 'Canceled',
  },
  uk: {
    queued: 'У черзі',
    processing: 'Виконується',
    done: 'Готово',
    failed: 'Не вдалося',
    canceled: 'Скасовано',
  },
  ru: {
    queued: 'В очереди',
    processing: 'Выполняется',
    done: 'Готово',
    failed: 'Не удалось',
    canceled: 'Отменено',
  },
})

export function nameStatus(status: Job['status']): string {
  return statuses()[status]
}

type JobErrorCode = NonNullable<Job['error_code']>

/** What a user can do about a failed job. */
const advice = defineTexts<Record<JobErrorCode, string>>({
  en: {
    input_unreadable: 'Check that the file opens on your device, then upload it again.',
    input_too_long: 'Cut the file into shorter parts, or choose a plan with a higher limit.',
    input_too_large: 'Make the file smaller first, or split it.',
    wrong_kind: 'Choose a tool that accepts this kind of file.',
    parameter_refused: 'Change the settings, then run the job again.',
    download_failed: 'Check that the link opens without a sign-in, then run the job again.',
    time_limit: 'Try a shorter file or simpler settings.',
    output_too_large: 'Choose a lower quality or a smaller size.',
    export_failed: 'Check the storage connection, then run the job again.',
    processing_failed: 'Run the job again. If it fails again, contact support with the id of the job.',
  },
  uk: {
    input_unreadable: 'Перевірте, чи відкривається файл на вашому пристрої, і завантажте його ще раз.',
    input_too_long: 'Розріжте файл на коротші частини або виберіть тариф із вищим обмеженням.',
    input_too_large: 'Спершу зменште файл або розділіть його.',
    wrong_kind: 'Виберіть інструмент, який приймає такі файли.',
    parameter_refused: 'Змініть налаштування й запустіть завдання ще раз.',
    download_failed: 'Перевірте, чи відкривається посилання без входу, і запустіть завдання ще раз.',
    time_limit: 'Спробуйте коротший файл або простіші налаштування.',
    output_too_large: 'Виберіть нижчу якість або менший розмір.',
    export_failed: 'Перевірте підключення сховища й запустіть завдання ще раз.',
    processing_failed:
      'Запустіть завдання ще раз. Якщо не вдасться знову, напишіть до підтримки й укажіть ідентифікатор завдання.',
  },
  ru: {
    input_unreadable: 'Проверьте, открывается ли файл на вашем устройстве, и загрузите его еще раз.',
    input_too_long: 'Разрежьте файл на части покороче или выберите тариф с более высоким ограничением.',
    input_too_large: 'Сначала уменьшите файл или разделите его.',
    wrong_kind: 'Выберите инструмент, который принимает такие файлы.',
    parameter_refused: 'Измените настройки и запустите задание еще раз.',
    download_failed: 'Проверьте, открывается ли ссылка без входа, и запустите задание еще раз.',
    time_limit: 'Попробуйте файл покороче или настройки попроще.',
    output_too_large: 'Выберите более низкое качество или меньший размер.',
    export_failed: 'Проверьте подключение хранилища и запустите задание еще раз.',
    processing_failed:
      'Запустите задание еще раз. Если снова не удастся, напишите в поддержку и укажите идентификатор задания.',
  },
})

/** Returns what a user can do about a failed job; null if it has not failed. */
export function adviseOn({ error_code }: Pick<Job, 'error_code'>): string | null {
  return error_code === null ? null : advice()[error_code]
}
