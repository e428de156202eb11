package lessons

import (
	"cmp"
	"fmt"
)

// Locales are those in which documents have their fixed words.
var Locales = []string{DefaultLocale, "zh", "ru"}

// A wording is what a fixed word is in each of [Locales].
type wording struct{ en, zh, ru string }

// words are the fixed words of documents, by the name under which a template asks for
// them. Values stand in them as package fmt has it, the same in each locale.
var words = map[string]wording{
	"playground":     {"ZooKeeper lock playground", "ZooKeeper 锁演练场", "Песочница блокировок ZooKeeper"},
	"draft":          {"This translation is a draft: no native reader has reviewed it yet.", "此译文为草稿，尚未经母语读者审阅。", "Этот перевод — черновик: носитель языка его ещё не проверял."},
	"minutes":        {"%d min", "%d 分钟", "%d мин"},
	"not-translated": {"This is not translated yet, so it is in English.", "尚未翻译，以下为英文。", "Это ещё не переведено, поэтому здесь по-английски."},

	"some-not-translated": {"What is in English here is not translated yet.", "此处的英文部分尚未翻译。", "То, что здесь по-английски, ещё не переведено."},

	// A lesson.
	"more":               {"More:", "更多：", "Подробнее:"},
	"predict":            {"Predict", "预测", "Предскажите"},
	"show-answers":       {"Show the answers", "显示答案", "Показать ответы"},
	"right":              {"Right:", "正确：", "Верно:"},
	"wrong":              {"Wrong:", "错误：", "Неверно:"},
	"run-this":           {"Run this", "运行", "Запустить"},
	"open-scenario":      {"Open this scenario in the playground", "在演练场中打开此场景", "Открыть этот сценарий в песочнице"},
	"do":                 {"Do", "动手", "Сделайте"},
	"show-how":           {"Show how", "查看做法", "Показать, как"},
	"in-console":         {"In the console:", "在控制台中：", "В консоли:"},
	"own-number":         {"For … the page puts the number of your znode.", "“…”处由页面填入你的 znode 的编号。", "Вместо … страница подставляет номер вашего znode."},
	"in-go":              {"In Go, with go-zookeeper:", "用 Go 和 go-zookeeper：", "На Go, с go-zookeeper:"},
	"in-shell":           {"To a client of your own, in a shell:", "对你自己的客户端，在 shell 中：", "Со своим клиентом, в командной оболочке:"},
	"goal":               {"Goal", "目标", "Цель"},
	"too-early":          {"What does not count?", "怎样还不算达成？", "Что не засчитывается?"},
	"do-in-playground":   {"Do it in the playground: it tells you when you are there", "在演练场中完成：目标达成时会有提示", "Сделайте это в песочнице: она скажет, когда цель достигнута"},
	"challenge":          {"Challenge", "挑战", "Задача"},
	"hint":               {"Hint", "提示", "Подсказка"},
	"mend-in-playground": {"Mend it in the playground: it judges your lock", "在演练场中修好这把锁：演练场会评测", "Почините в песочнице: она проверит вашу блокировку"},
	"open-lesson":        {"Open this lesson in the playground", "在演练场中打开本课", "Открыть этот урок в песочнице"},
	"lessons":            {"Lessons", "课程", "Уроки"},
	"previous":           {"Previous", "上一课", "Предыдущий"},
	"next":               {"Next", "下一课", "Следующий"},

	// The teacher's pages.
	"teacher":          {"For teachers", "教师专用", "Для преподавателя"},
	"teacher-intro":    {"What to say and what to show in front of a class, made to be printed. Students follow and vote when you open a class in the playground.", "在课堂上讲什么、演示什么，可供打印。在演练场中开课后，学生可以跟随和投票。", "Что говорить и что показывать на занятии, в виде для печати. Если открыть класс в песочнице, студенты следят за вашим прогоном и голосуют."},
	"plans":            {"Plans", "教案", "Планы занятий"},
	"sheets":           {"Before class and after", "课前与课后", "До занятия и после"},
	"solutions":        {"Solutions of all goals", "所有目标的解法", "Решения всех целей"},
	"solutions-intro":  {"These are the steps of the lessons. Other ways count, too. A mended lock is one of many that pass.", "这些就是各课里的步骤，用别的办法达成也算。修好的锁也只是能通过评测的写法之一。", "Это шаги из уроков; другие пути тоже засчитываются. Исправленная блокировка — одна из многих, которые проходят проверку."},
	"presenter-pages":  {"A page for each lesson", "每课一页", "Страница к каждому уроку"},
	"aim":              {"Aim", "目标", "Чему научить"},
	"say":              {"Say", "讲解", "Что сказать"},
	"click":            {"Click", "操作", "Что нажать"},
	"if-it-goes-wrong": {"If it goes wrong", "演示出岔子时", "Если что-то не вышло"},
	"wrong-vote":       {"The popular wrong vote", "最容易选错的", "Частый неверный ответ"},
	"exit-question":    {"Exit question", "下课小测", "Вопрос на выходе"},
	"in-class":         {"%d min in class", "课堂 %d 分钟", "%d мин на занятии"},
	"they-will-ask":    {"They will ask", "学生会问", "О чём спросят"},
	"read-lesson":      {"Read the lesson", "阅读本课", "Читать урок"},
	"column-minutes":   {"Minutes", "分钟", "Минуты"},
	"column-lesson":    {"Lesson", "课", "Урок"},
	"column-what":      {"What to do", "做什么", "Что делать"},

	// The map of the course.
	"map":            {"Map of the course", "课程地图", "Карта курса"},
	"to-playground":  {"To the playground", "打开演练场", "В песочницу"},
	"begin":          {"Begin", "开始", "Начать"},
	"go-on":          {"Go on", "继续", "Продолжить"},
	"print":          {"print", "打印", "для печати"},
	"builds-on":      {"Builds on:", "先修：", "Опирается на:"},
	"servers-needed": {"Some of its goals need several servers:", "其中有的目标需要多台服务器：", "Для некоторых целей нужно несколько серверов:"},
	"goals":          {"Goals: %d", "目标：%d 个", "Целей: %d"},
	"course-sum":     {"%d lessons with %d goals: %d minutes of reading and doing.", "共 %d 课，%d 个目标：阅读和动手约 %d 分钟。", "Уроков: %d, целей: %d. Чтение и практика: %d мин."},
	"goals-met":      {"Goals met: {met} of {all}.", "已达成目标：{met}/{all}。", "Достигнуто целей: {met} из {all}."},
	"met":            {"Met:", "已达成：", "Достигнута:"},
	"lesson-done":    {"All goals met", "目标全部达成", "Все цели достигнуты"},
	"kept-here":      {"What you have met is kept in this browser alone.", "你的进度只保存在此浏览器中。", "Достигнутое хранится только в этом браузере."},
}

// Word returns a fixed word of documents in a locale, or else in [DefaultLocale], with
// values in it. There must be one of the name.
func Word(locale, name string, values ...any) (string, error) {
	found, ok := words[name]
	if !ok {
		return "", fmt.Errorf("there is no word %q", name)
	}
	word := cmp.Or(map[string]string{"zh": found.zh, "ru": found.ru}[locale], found.en)
	if len(values) > 0 {
		word = fmt.Sprintf(word, values...)
	}
	return word, nil
}
