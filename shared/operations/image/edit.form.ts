import type { FormOf } from '../../forms/form.ts'
import type { edit } from './edit.ts'

export const editForm: FormOf<typeof edit> = {
  group: 'picture',
  title: { uk: 'Редагувати зображення', ru: 'Редактировать изображение' },
  description: {
    uk: 'Виконує операції з params.operations по черзі, як одне завдання.',
    ru: 'Выполняет операции из params.operations по порядку, как одно задание.',
  },
  summary: {
    en: 'Several operations in one job',
    uk: 'Кілька операцій в одному завданні',
    ru: 'Несколько операций в одном задании',
  },
  fields: {},
  presets: {},
}
