import type { Texts } from '../../../../shared/text/texts.ts'
import { countText, sizeText } from '../../../../shared/text/words.ts'
import { type ErrorEntry, withFacts } from './entry.ts'

/** Limits of the open upload links of an account. */
export interface LinkLimits {
  links_max: number
  bytes_max: number
}

/** Shown to everyone with the link, whatever the reason. */
const LINK_FAILED: Texts = {
  en: "The file could not be processed because of a problem on the link owner's side. Ask the owner for a new link.",
  uk: 'Файл не вдалося обробити через проблему на боці власника посилання. Попросіть у власника нове посилання.',
  ru: 'Файл не удалось обработать из-за проблемы на стороне владельца ссылки. Попросите у владельца новую ссылку.',
}

const ASK_SENDER: Texts = {
  en: 'Ask the sender of the link for a new one.',
  uk: 'Попросіть нове посилання в того, хто його надіслав.',
  ru: 'Попросите новую ссылку у того, кто ее отправил.',
}

/** Errors for upload links. */
export const UPLOAD_LINK_ERRORS = {
  upload_session_not_found: {
    status: 404,
    detail: {
      en: 'Upload session not found. Check its id.',
      uk: 'Сеанс завантаження не знайдено. Перевірте його ідентифікатор.',
      ru: 'Сеанс загрузки не найден. Проверьте его идентификатор.',
    },
    help: {
      en: "Check the id and the account: other accounts' sessions are reported as not found.",
      uk: 'Перевірте ідентифікатор і обліковий запис: сеанси інших облікових записів вважаються незнайденими.',
      ru: 'Проверьте идентификатор и учетную запись: сеансы других учетных записей считаются ненайденными.',
    },
  },
  upload_link_not_found: {
    status: 404,
    detail: {
      en: 'Upload link not found. Check that you copied the whole URL.',
      uk: 'Посилання для завантаження не знайдено. Перевірте, чи скопійовано весь URL.',
      ru: 'Ссылка для загрузки не найдена. Проверьте, что скопирован весь URL.',
    },
    help: {
      en: 'Check that the whole token was copied.',
      uk: 'Перевірте, чи скопійовано весь токен.',
      ru: 'Проверьте, что скопирован весь токен.',
    },
  },
  upload_link_used: {
    status: 409,
    detail: {
      en: 'The upload link was already used. Each link accepts one file.',
      uk: 'Посилання для завантаження вже використано. Кожне посилання приймає один файл.',
      ru: 'Ссылка для загрузки уже использована. Каждая ссылка принимает один файл.',
    },
    help: {
      en: 'Ask for a new link; its owner can still cancel the job.',
      uk: 'Попросіть нове посилання; власник ще може скасувати завдання.',
      ru: 'Попросите новую ссылку; владелец еще может отменить задание.',
    },
  },
  upload_link_expired: {
    status: 410,
    detail: {
      en: 'The upload link has expired. Ask for a new one.',
      uk: 'Строк дії посилання для завантаження минув. Попросіть нове.',
      ru: 'Срок действия ссылки для загрузки истек. Попросите новую.',
    },
    help: ASK_SENDER,
  },
  upload_link_withdrawn: {
    status: 410,
    detail: {
      en: 'The upload link was withdrawn. Ask for a new one.',
      uk: 'Посилання для завантаження відкликано. Попросіть нове.',
      ru: 'Ссылка для загрузки отозвана. Попросите новую.',
    },
    help: ASK_SENDER,
  },
  upload_link_closed: {
    status: 410,
    detail: {
      en: 'The upload link is closed. Ask for a new one.',
      uk: 'Посилання для завантаження закрито. Попросіть нове.',
      ru: 'Ссылка для загрузки закрыта. Попросите новую.',
    },
    help: ASK_SENDER,
  },
  upload_link_exhausted: {
    status: 410,
    detail: {
      en: 'Too many uploads were started with this link. Ask for a new one.',
      uk: 'За цим посиланням розпочато забагато завантажень. Попросіть нове.',
      ru: 'По этой ссылке начато слишком много загрузок. Попросите новую.',
    },
    help: ASK_SENDER,
  },
  upload_link_busy: {
    status: 429,
    detail: {
      en: 'Other files from the owner of this link are still being processed. Try again shortly.',
      uk: 'Інші файли власника цього посилання ще обробляються. Повторіть спробу трохи пізніше.',
      ru: 'Другие файлы владельца этой ссылки еще обрабатываются. Повторите попытку чуть позже.',
    },
    retry_after_seconds: 10,
    help: {
      en: 'Complete the upload again after Retry-After; the file is kept.',
      uk: 'Завершіть завантаження ще раз після Retry-After; файл збережено.',
      ru: 'Завершите загрузку еще раз по истечении Retry-After; файл сохранен.',
    },
  },
  upload_link_full: {
    status: 429,
    detail: {
      en: 'The owner of this link has no room for another file of this size right now. Try again later, or tell the owner.',
      uk: 'У власника цього посилання зараз немає місця для ще одного файлу такого розміру. Спробуйте пізніше або повідомте власника.',
      ru: 'У владельца этой ссылки сейчас нет места для еще одного файла такого размера. Попробуйте позже или сообщите владельцу.',
    },
    retry_after_seconds: 3600,
    help: {
      en: 'The owner uses uploaded files in jobs, deletes them, or waits until they expire.',
      uk: 'Власник використовує завантажені файли в завданнях, видаляє їх або чекає, доки мине строк їх зберігання.',
      ru: 'Владелец использует загруженные файлы в заданиях, удаляет их или ждет, пока истечет срок их хранения.',
    },
  },
  too_many_upload_links: withFacts({
    status: 409,
    detail: {
      en: ({ links_max, bytes_max }: LinkLimits) =>
        `An account can have up to ${countText('en', links_max, 'link')} open at the same time, with parameters of ${sizeText('en', bytes_max)} in total. Withdraw links that are no longer needed.`,
      uk: ({ links_max, bytes_max }) =>
        `Обліковий запис може мати одночасно до ${links_max} відкритих посилань з параметрами загальним обсягом ${sizeText('uk', bytes_max)}. Відкличте непотрібні посилання.`,
      ru: ({ links_max, bytes_max }) =>
        `Учетная запись может иметь одновременно до ${links_max} открытых ссылок с параметрами общим объемом ${sizeText('ru', bytes_max)}. Отзовите ненужные ссылки.`,
    },
    example: { links_max: 1000, bytes_max: 4 * 1024 ** 2 },
    help: {
      en: 'Withdraw open links, or wait until they are used or expire.',
      uk: 'Відкличте відкриті посилання або дочекайтеся, доки їх використають чи мине їх строк.',
      ru: 'Отзовите открытые ссылки или дождитесь, пока их используют или истечет их срок.',
    },
  }),
  upload_link_unpaid: {
    status: 402,
    detail: { en: 'not enough credits', uk: 'Недостатньо бонусів.', ru: 'Недостаточно бонусов.' },
    literal: true,
    help: {
      en: 'The owner of the link has too few credits. Ask the owner to top up and to create a new link.',
      uk: 'У власника посилання недостатньо бонусів. Попросіть його поповнити баланс і створити нове посилання.',
      ru: 'У владельца ссылки недостаточно бонусов. Попросите его пополнить баланс и создать новую ссылку.',
    },
  },
  upload_link_failed: {
    status: 400,
    detail: LINK_FAILED,
    help: {
      en: 'Ask the owner of the link, whose upload session shows the reason.',
      uk: 'Зверніться до власника посилання: причину показано в його сеансі завантаження.',
      ru: 'Обратитесь к владельцу ссылки: причина показана в его сеансе загрузки.',
    },
  },
  upload_superseded: {
    status: 409,
    detail: {
      en: 'Another upload was started with this link. Complete that one.',
      uk: 'За цим посиланням розпочато інше завантаження. Завершіть його.',
      ru: 'По этой ссылке начата другая загрузка. Завершите ее.',
    },
    help: {
      en: 'Complete the newest upload of the link.',
      uk: 'Завершіть найновіше завантаження за цим посиланням.',
      ru: 'Завершите самую новую загрузку по этой ссылке.',
    },
  },
} as const satisfies Record<string, ErrorEntry>
