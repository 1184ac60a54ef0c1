import { defineTexts } from '../text/define-texts.ts'

/** Why a cut encoded all of the video, by `encode_reason`. */
export const encodeReasonTexts = defineTexts({
  en: {
    codec: 'The codec does not allow it',
    container: 'The container does not allow it',
    hidden_frames: 'The file hides frames',
    frame_rate: 'The frame rate does not allow it',
    timestamps: 'The timestamps do not allow it',
    too_little: 'Too little can be copied',
    no_keyframe: 'No keyframe is near',
    estimate: 'Encoding is about as fast',
    mismatch: 'The copy differed from the input',
  },
  uk: {
    codec: 'Не дозволяє кодек',
    container: 'Не дозволяє контейнер',
    hidden_frames: 'Файл приховує кадри',
    frame_rate: 'Не дозволяє частота кадрів',
    timestamps: 'Не дозволяють часові позначки',
    too_little: 'Скопіювати можна замало',
    no_keyframe: 'Поблизу немає ключового кадру',
    estimate: 'Кодування майже таке саме швидке',
    mismatch: 'Копія відрізнялася від вхідного файлу',
  },
  ru: {
    codec: 'Не позволяет кодек',
    container: 'Не позволяет контейнер',
    hidden_frames: 'Файл скрывает кадры',
    frame_rate: 'Не позволяет частота кадров',
    timestamps: 'Не позволяют временные метки',
    too_little: 'Скопировать можно слишком мало',
    no_keyframe: 'Рядом нет ключевого кадра',
    estimate: 'Кодирование почти такое же быстрое',
    mismatch: 'Копия отличалась от входного файла',
  },
})
