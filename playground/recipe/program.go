package recipe

import "github.com/zkplayground/zkplayground/playground/scenario"

// Its New is missing: a client knows by Capabilities.Program that it is to start one.
var _ = register(Recipe{order: 90,
	RecipeKind: scenario.RecipeKind{Name: "program", Title: "Your lock", Capabilities: scenario.Capabilities{Program: true},
		Sentence: "The lock is a program that the playground has been given: it is told when to acquire and release, and says what it believes.",
		Code: []scenario.Line{
			Connect, Think,
			{Text: "tell the program: acquire", At: at{scenario.Idle, scenario.Enqueued, scenario.Waiting, scenario.Woken}},
			{Text: "it says acquired: work, and stop if it says lost", At: at{scenario.Holds}},
			{Text: "tell the program: release; it says released"},
			Again,
		}}})
