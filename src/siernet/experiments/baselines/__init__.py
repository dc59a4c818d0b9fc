"""The methods that the paper and this project compare EASIER-net with."""
