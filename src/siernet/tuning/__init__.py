"""The search for lambda_1 and lambda_2 by cross-validation of the ensemble."""
