"""FMUs: models as archives of the FMI standard, versions 2.0 and 3.0, for model exchange and co-simulation.

`export` is the function people call; `traced` makes the expressions, `variables` lists what an importer sees, `discrete`
collects events and controllers, `description` writes modelDescription.xml, `code` the C text of the model, `archive`
compiles and packs. The folder `runtime` holds the C text that all FMUs share."""
