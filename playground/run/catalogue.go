package run

import (
	"slices"
	"sync"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/recipe/broken"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// Catalogue returns everything that a scenario can name: each fault, recipe and
// check as the package describes it that does it.
var Catalogue = sync.OnceValue(describe)

func describe() scenario.Catalogue {
	var c scenario.Catalogue
	for _, fault := range client.Faults() {
		c.Faults = append(c.Faults, fault.FaultKind)
	}
	c.Faults = append(c.Faults, serverFaults()...)
	for _, m := range moments() {
		c.Moments = append(c.Moments, m.MomentKind)
	}
	for _, r := range recipes() {
		c.Recipes = append(c.Recipes, r.RecipeKind)
	}
	for _, k := range check.All() {
		c.Checks = append(c.Checks, scenario.CheckKind{Name: k.Name, Title: k.Title, Sentence: k.Sentence, Violated: k.Violated})
	}
	return c
}

func recipes() []recipe.Recipe { return append(recipe.All(), broken.All()...) }

// recipeOf returns the recipe of that name, which there is: the scenario is valid.
func recipeOf(name string) recipe.Recipe {
	all := recipes()
	return all[slices.IndexFunc(all, func(r recipe.Recipe) bool { return r.Name == name })]
}
