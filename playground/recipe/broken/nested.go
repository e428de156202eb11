package broken

import (
	"slices"

	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// nestedRecipe is what one writes who needs a second lock and has the first: each client
// asks for them in the order in which it comes to need them.
var nestedRecipe = recipe.Recipe{New: func(e recipe.Env) recipe.Lock { return recipe.NewOneByOne(e, e.Paths) },
	RecipeKind: scenario.RecipeKind{Name: "nested", Title: "One after the other, in any order", Capabilities: scenario.Capabilities{Broken: true},
		Sentence: "Whoever needs several locks asks for them in the order in which it needs them: two clients may each hold what the other waits for, without end.",
		Code: slices.Concat([]scenario.Line{recipe.Connect, recipe.Think,
			{Text: "for each dir, in the order in which I need them:", Wrong: "somebody else needs them in another order"}}, recipe.OneByOneCode)}}
