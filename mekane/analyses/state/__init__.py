"""The equations at one state: accelerations, forces, Kane's quantities, derivatives."""
