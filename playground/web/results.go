package web

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/room"
)

// byteOrderMark tells a spreadsheet that the file is in UTF-8.
const byteOrderMark = "\ufeff"

// results answers with a table of how a class has voted, and of how many members have met
// each goal. It names nobody.
func (s *Server) results(c echo.Context, class *room.Class) error {
	votes := make(map[string]room.VoteState)
	for _, vote := range class.Votes(s.personOf(c), true) {
		votes[vote.Question] = vote
	}
	met, members := class.GoalsMet(), strconv.Itoa(class.State().Members)
	rows := [][]string{{"lesson", "what", "text", "choice", "right", "members", "of"}}
	for _, lesson := range s.config.Lessons.In(c.QueryParam("locale")) {
		for _, question := range lesson.Questions {
			vote, asked := votes[question.Group]
			for i, choice := range question.Choices {
				if asked {
					rows = append(rows, []string{lesson.Title, "vote", question.Text, choice.Text, strconv.FormatBool(choice.Right),
						strconv.Itoa(vote.Counts[i]), strconv.Itoa(vote.Voters)})
				}
			}
		}
		for _, goal := range lesson.Goals() {
			rows = append(rows, []string{lesson.Title, "goal", goal.Goal, "", "", strconv.Itoa(met[goal.Key]), members})
		}
	}
	text := bytes.NewBufferString(byteOrderMark)
	if err := csv.NewWriter(text).WriteAll(rows); err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="class-results.csv"`)
	return c.Blob(http.StatusOK, "text/csv; charset=utf-8", text.Bytes())
}
